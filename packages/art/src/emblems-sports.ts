import type { FamilyName } from './palette.ts'

/** A drawn motif and the ground it stands on. In its shapes `W` is white, `T` the ground's tint, `S` its shade, `L` its lit colour. */
export type Emblem = readonly [ground: FamilyName, shapes: string]

/** Motifs of sports and games. */
export const SPORTS: Readonly<Record<string, Emblem>> = {
  football: [
    'green',
    `<circle cx='32' cy='32' r='20' fill='W'/><path d='M32 24.5l7.2 5.2-2.8 8.5h-8.8l-2.8-8.5z' fill='S'/><path d='M32 24.5V15M39.2 29.7l9.3-3M36.4 38.2l5.4 7.6M27.6 38.2l-5.4 7.6M24.8 29.7l-9.3-3' fill='none' stroke='S' stroke-width='2.6' stroke-linecap='round'/><path d='M27.2 12.6h9.6L32 16.4zM47.8 20l3.9 8.7-5-1.7zM47.3 45l-6 4.6.7-4.5zM16.7 45l6 4.6-.7-4.5zM16.2 20l-3.9 8.7 5-1.7z' fill='S'/>`,
  ],
  basketball: [
    'orange',
    `<circle cx='32' cy='32' r='20' fill='W'/><path d='M12 32h40M32 12v40M18 18c8 7 8 21 0 28M46 18c-8 7-8 21 0 28' fill='none' stroke='L' stroke-width='3'/>`,
  ],
  gridiron: [
    'lime',
    `<path d='M13 51C9 32 22 12 51 13c1 29-19 42-38 38z' fill='W'/><path d='M13 51c-.8-4-.7-8 .3-12L25 50.7c-4 1-8 1.1-12 .3zM51 13c.2 4-.1 7.7-.9 11.2L39.8 13.9c3.4-.7 7.2-1 11.2-.9z' fill='T'/><path d='M25 39l14-14M27 32.5l4.5 4.5M32.5 27l4.5 4.5' fill='none' stroke='S' stroke-width='3' stroke-linecap='round'/>`,
  ],
  baseball: [
    'blue',
    `<circle cx='32' cy='32' r='20' fill='W'/><path d='M20 16c7 9 7 23 0 32M44 16c-7 9-7 23 0 32' fill='none' stroke='#d52b3f' stroke-width='2.6'/><path d='M22.5 24l5-1.5M24 32h5M22.5 40l5 1.5M41.5 24l-5-1.5M40 32h-5M41.5 40l-5 1.5' stroke='#d52b3f' stroke-width='2.2' stroke-linecap='round'/>`,
  ],
  tennis: [
    'lime',
    `<circle cx='32' cy='32' r='20' fill='#e6f26a'/><path d='M16 20c9 5 13 18 8 30M48 44c-9-5-13-18-8-30' fill='none' stroke='W' stroke-width='3.2' stroke-linecap='round'/>`,
  ],
  hockey: [
    'ice',
    `<path d='M17 12l6-1 13 29c1 2 2 3 5 3h8v8H38c-5 0-7-2-9-6z' fill='W'/><path d='M47 12l-6-1-5.5 12.3 4.3 9.5z' fill='T'/><path d='M14 43h12l2.6 5c1.2 2 2.4 3 4.4 3H20c-4 0-6-2-6-4z' fill='S'/>`,
  ],
  cricket: [
    'green',
    `<path d='M43 10l5 5-5 7 2 2-22 27c-2 2-5 2-7 0s-2-5 0-7l27-22z' fill='W'/><path d='M41 22l3 3-22 26' fill='none' stroke='T' stroke-width='2.5'/><circle cx='46' cy='45' r='7' fill='#d52b3f'/><path d='M42 40.5c3 2 4.5 6 4 10' fill='none' stroke='W' stroke-width='1.6'/>`,
  ],
  boxing: [
    'red',
    `<path d='M18 34V22c0-7 5-11 13-11h6c8 0 12 5 12 12v6c0 6-3 9-5 12v4H22v-4c-3-2-4-4-4-7z' fill='W'/><path d='M18 30c0-4 3-6 6-6h10v7H25' fill='none' stroke='S' stroke-width='3' stroke-linecap='round' stroke-linejoin='round'/><rect x='21' y='46' width='24' height='8' rx='2.5' fill='T'/>`,
  ],
  golf: [
    'green',
    `<ellipse cx='32' cy='48' rx='20' ry='6' fill='T' opacity='.55'/><ellipse cx='30' cy='48' rx='5' ry='1.8' fill='S'/><path d='M30 48V11' stroke='W' stroke-width='3' stroke-linecap='round'/><path d='M31.5 11l18 7-18 8z' fill='W'/><circle cx='43' cy='44.5' r='3.6' fill='W'/>`,
  ],
  racing: [
    'red',
    `<path d='M16 11v43' stroke='W' stroke-width='3.6' stroke-linecap='round'/><path d='M18 13h32v25H18z' fill='W'/><path d='M18 13h8v6.25h-8zM34 13h8v6.25h-8zM26 19.25h8v6.25h-8zM42 19.25h8v6.25h-8zM18 25.5h8v6.25h-8zM34 25.5h8v6.25h-8zM26 31.75h8V38h-8zM42 31.75h8V38h-8z' fill='S'/>`,
  ],
  esports: [
    'violet',
    `<path d='M20 21h24c7 0 10 7 11 15 1 7-1 11-5 11-5 0-6-7-11-7H25c-5 0-6 7-11 7-4 0-6-4-5-11 1-8 4-15 11-15z' fill='W'/><path d='M22 26v9M17.5 30.5h9' stroke='S' stroke-width='3.2' stroke-linecap='round'/><circle cx='41' cy='33' r='2.6' fill='S'/><circle cx='46' cy='28' r='2.6' fill='L'/>`,
  ],
  chess: [
    'slate',
    `<path d='M24 47c0-9 10-11 9-19-3 3-6 5-9 5-3 1-5-1-6-4 1-7 6-12 11-14l1-5 4 4c9 2 14 12 12 33z' fill='W'/><circle cx='29' cy='22' r='1.9' fill='S'/><rect x='17' y='48' width='30' height='6' rx='2.5' fill='T'/>`,
  ],
  running: [
    'orange',
    `<circle cx='39' cy='15' r='5.5' fill='W'/><path d='M18 29l9-7 9 3-6 10 8 5-2 12M30 35l-6 8-10 1M36 25l5 6 8 0' fill='none' stroke='W' stroke-width='5' stroke-linecap='round' stroke-linejoin='round'/>`,
  ],
  cycling: [
    'teal',
    `<circle cx='19' cy='40' r='9.5' fill='none' stroke='W' stroke-width='3.4'/><circle cx='45' cy='40' r='9.5' fill='none' stroke='W' stroke-width='3.4'/><path d='M19 40l8-15h13l5 15M27 25l7 15 6-15M24 21h6M40 25l-1-6h6' fill='none' stroke='T' stroke-width='3.4' stroke-linecap='round' stroke-linejoin='round'/>`,
  ],
  swimming: [
    'ice',
    `<circle cx='46' cy='24' r='5.5' fill='W'/><path d='M14 34l12-13 9 3 7 10' fill='none' stroke='W' stroke-width='5' stroke-linecap='round' stroke-linejoin='round'/><path d='M10 40c5-4 8-4 12 0s8 4 12 0 8-4 12 0 6 3 8 1M10 49c5-4 8-4 12 0s8 4 12 0 8-4 12 0 6 3 8 1' fill='none' stroke='T' stroke-width='3.4' stroke-linecap='round'/>`,
  ],
  rings: [
    'slate',
    `<g fill='none' stroke-width='3.4'><circle cx='18' cy='28' r='8' stroke='#5fb6ff'/><circle cx='32' cy='28' r='8' stroke='W'/><circle cx='46' cy='28' r='8' stroke='#ff7a86'/><circle cx='25' cy='37' r='8' stroke='#ffd45c'/><circle cx='39' cy='37' r='8' stroke='#5fdc96'/></g>`,
  ],
  trophy: [
    'amber',
    `<path d='M20 12h24v12c0 9-5 15-12 15s-12-6-12-15z' fill='W'/><path d='M20 16h-8c0 8 3 13 9 14M44 16h8c0 8-3 13-9 14' fill='none' stroke='T' stroke-width='3.4'/><path d='M29 38h6v7h-6z' fill='T'/><path d='M21 45h22v7H21z' fill='W'/><path d='M32 16.5l2.2 4.5 5 .7-3.6 3.5.8 5-4.4-2.4-4.4 2.4.8-5-3.6-3.5 5-.7z' fill='L'/>`,
  ],
  medal: [
    'amber',
    `<path d='M20 10h9l6 15-6 5zM44 10h-9l-6 15 6 5z' fill='T'/><circle cx='32' cy='39' r='14' fill='W'/><path d='M32 30.5l2.5 5.2 5.7.8-4.1 4 1 5.7-5.1-2.7-5.1 2.7 1-5.7-4.1-4 5.7-.8z' fill='L'/>`,
  ],
}
