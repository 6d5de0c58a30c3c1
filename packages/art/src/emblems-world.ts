import type { Emblem } from './emblems-sports.ts'

/** Motifs of politics, law and the world. */
export const WORLD: Readonly<Record<string, Emblem>> = {
  ballot: [
    'indigo',
    `<path d='M22 9h20v22H22z' fill='W'/><path d='M26.5 19l4 4 7-8' fill='none' stroke='L' stroke-width='3.6' stroke-linecap='round' stroke-linejoin='round'/><path d='M12 29h40v23a3 3 0 0 1-3 3H15a3 3 0 0 1-3-3z' fill='T'/><path d='M12 29h40v6H12z' fill='W'/><rect x='20' y='30.5' width='24' height='3' rx='1.5' fill='S'/>`,
  ],
  parliament: [
    'indigo',
    `<path d='M32 7v6' stroke='W' stroke-width='2.6' stroke-linecap='round'/><path d='M20 31c0-11 5-18 12-18s12 7 12 18z' fill='W'/><rect x='14' y='31' width='36' height='5' rx='1.5' fill='T'/><path d='M17 38h5v11h-5zM25.7 38h4.6v11h-4.6zM33.7 38h4.6v11h-4.6zM42 38h5v11h-5z' fill='W'/><rect x='11' y='50' width='42' height='5' rx='1.5' fill='T'/><path d='M26 30c0-7 2-12 6-14 4 2 6 7 6 14' fill='none' stroke='L' stroke-width='2' opacity='.6'/>`,
  ],
  court: [
    'slate',
    `<path d='M32 10v40M17 18h30' stroke='W' stroke-width='3.6' stroke-linecap='round'/><circle cx='32' cy='13' r='4' fill='W'/><path d='M17 18L9.5 36h15zM47 18l-7.5 18h15z' fill='none' stroke='T' stroke-width='2.2' stroke-linejoin='round'/><path d='M8.5 36h17c0 5-4 8-8.5 8s-8.5-3-8.5-8zM38.5 36h17c0 5-4 8-8.5 8s-8.5-3-8.5-8z' fill='W'/><rect x='21' y='49' width='22' height='5' rx='2' fill='T'/>`,
  ],
  podium: [
    'indigo',
    `<path d='M25 24l-5-11' stroke='T' stroke-width='3' stroke-linecap='round'/><circle cx='19' cy='12' r='4' fill='W'/><path d='M39 24l5-11' stroke='T' stroke-width='3' stroke-linecap='round'/><circle cx='45' cy='12' r='4' fill='W'/><path d='M12 24h40l-4 11H16z' fill='W'/><path d='M19 35h26l-3 19H22z' fill='T'/><path d='M32 38.5l1.7 3.5 3.8.5-2.8 2.7.7 3.8-3.4-1.8-3.4 1.8.7-3.8-2.8-2.7 3.8-.5z' fill='L'/>`,
  ],
  star: [
    'blue',
    `<circle cx='32' cy='32' r='20' fill='W'/><path d='M32 17l4.5 9.3 10.2 1.4-7.4 7.2 1.8 10.2L32 40.2l-9.1 4.9 1.8-10.2-7.4-7.2 10.2-1.4z' fill='L'/>`,
  ],
  peace: [
    'teal',
    `<path d='M10 33l14-17c4-5 10-4 13 0l4 6c6-5 12-4 13-3l-5 5c1 14-9 23-22 23H15l9-7c-6 0-11-3-14-7z' fill='W'/><path d='M24 16c2 8 8 14 17 14' fill='none' stroke='T' stroke-width='2.6' stroke-linecap='round'/><circle cx='47' cy='23.5' r='1.7' fill='S'/>`,
  ],
  handshake: [
    'teal',
    `<path d='M6 24l9-7 11 3-7 13z' fill='T'/><path d='M58 24l-9-7-12 2-8 6c-1 5 4 7 8 4l3-1 14 13z' fill='W'/><path d='M11 33l8-10 6-3 4 5c-1 5 4 7 8 4l3-1 10 9c3 3-1 7-4 4 2 3-2 6-5 4 1 3-3 5-5 3 0 2-3 3-5 1L16 38z' fill='W'/><path d='M46 41l-6-5M41 45l-6-5M36 48l-5-4' stroke='L' stroke-width='2.2' stroke-linecap='round'/>`,
  ],
  shield: [
    'slate',
    `<path d='M32 9l19 7v14c0 12-8 20-19 25-11-5-19-13-19-25V16z' fill='W'/><path d='M32 9v46c-11-5-19-13-19-25V16z' fill='T'/><path d='M32 20l3.4 7 7.6 1-5.5 5.3 1.3 7.6L32 37.3 25.2 41l1.3-7.6L21 28l7.6-1z' fill='L'/>`,
  ],
  compass: [
    'blue',
    `<circle cx='32' cy='32' r='20' fill='none' stroke='T' stroke-width='2.6'/><path d='M32 6l6 20 20 6-20 6-6 20-6-20-20-6 20-6z' fill='W'/><path d='M32 6v26H6l20-6zM32 58V32h26l-20 6z' fill='T'/>`,
  ],
  clash: [
    'red',
    `<path d='M12 12l7 1 27 30-4 4L13 19zM52 12l-7 1-27 30 4 4 29-28z' fill='W'/><path d='M38 51l12-12M26 51L14 39' stroke='T' stroke-width='4' stroke-linecap='round'/><path d='M45 45l8 8M19 45l-8 8' stroke='T' stroke-width='5' stroke-linecap='round'/>`,
  ],
  pin: [
    'teal',
    `<path d='M32 8c-9 0-16 7-16 16 0 11 16 25 16 25s16-14 16-25c0-9-7-16-16-16z' fill='W'/><circle cx='32' cy='24' r='6.5' fill='L'/><ellipse cx='32' cy='53' rx='13' ry='3.5' fill='T' opacity='.7'/>`,
  ],
  globe: [
    'teal',
    `<circle cx='32' cy='32' r='20' fill='W'/><path d='M12 32h40M15.5 22h33M15.5 42h33M32 12c-13 11-13 29 0 40M32 12c13 11 13 29 0 40' fill='none' stroke='L' stroke-width='2.6'/>`,
  ],
  seat: [
    'indigo',
    `<path d='M20 10h24a4 4 0 0 1 4 4v20H16V14a4 4 0 0 1 4-4z' fill='W'/><path d='M10 26h7v13h30V26h7v18a4 4 0 0 1-4 4H14a4 4 0 0 1-4-4z' fill='T'/><path d='M16 48v6M48 48v6' stroke='W' stroke-width='4' stroke-linecap='round'/><path d='M25 17v16M32 17v16M39 17v16' stroke='L' stroke-width='2' opacity='.45'/>`,
  ],
  door: [
    'slate',
    `<path d='M15 54V12a3 3 0 0 1 3-3h22v45z' fill='T'/><path d='M15 54V14l19 5v35z' fill='W'/><circle cx='29.5' cy='36' r='2.2' fill='L'/><path d='M39 31h14M48 25l6 6-6 6' fill='none' stroke='W' stroke-width='3.6' stroke-linecap='round' stroke-linejoin='round'/>`,
  ],
  sunrise: [
    'amber',
    `<circle cx='32' cy='38' r='13' fill='W'/><path d='M32 11v7M13 19l5 5M51 19l-5 5M7 38h6M51 38h6' stroke='T' stroke-width='3.6' stroke-linecap='round'/><path d='M8 44h48v2.5H8z' fill='W'/><path d='M15 51h34' stroke='T' stroke-width='3' stroke-linecap='round'/>`,
  ],
  health: [
    'rose',
    `<path d='M32 53C17 43 10 35 10 25c0-7 5-12 11-12 5 0 9 3 11 7 2-4 6-7 11-7 6 0 11 5 11 12 0 10-7 18-22 28z' fill='W'/><path d='M14 32h9l4-8 6 15 4-7h13' fill='none' stroke='L' stroke-width='3' stroke-linecap='round' stroke-linejoin='round'/>`,
  ],
  calendar: [
    'slate',
    `<rect x='12' y='14' width='40' height='39' rx='6' fill='W'/><path d='M12 26V20a6 6 0 0 1 6-6h28a6 6 0 0 1 6 6v6z' fill='#e2475a'/><path d='M22 10v8M42 10v8' stroke='T' stroke-width='4' stroke-linecap='round'/>`,
  ],
}
