import type { Emblem } from './emblems-sports.ts'

/** Motifs of money, technology, science and culture. */
export const THINGS: Readonly<Record<string, Emblem>> = {
  chart: [
    'green',
    `<path d='M13 11v39h40' fill='none' stroke='T' stroke-width='3.4' stroke-linecap='round' stroke-linejoin='round'/><path d='M19 42l10-11 7 6 14-18' fill='none' stroke='W' stroke-width='5' stroke-linecap='round' stroke-linejoin='round'/><path d='M41 17h11v11z' fill='W'/>`,
  ],
  bank: [
    'green',
    `<path d='M32 9l22 11v5H10v-5z' fill='W'/><path d='M15 28h6v16h-6zM29 28h6v16h-6zM43 28h6v16h-6z' fill='T'/><path d='M11 46h42v8H11z' fill='W'/><circle cx='32' cy='18' r='2.6' fill='L'/>`,
  ],
  percent: [
    'green',
    `<circle cx='21' cy='21' r='8' fill='none' stroke='W' stroke-width='5'/><circle cx='43' cy='43' r='8' fill='none' stroke='W' stroke-width='5'/><path d='M48 16L16 48' stroke='T' stroke-width='5' stroke-linecap='round'/>`,
  ],
  cash: [
    'green',
    `<rect x='8' y='18' width='48' height='28' rx='4' fill='W'/><circle cx='32' cy='32' r='8' fill='L'/><path d='M14 24h4M46 40h4M14 40h4M46 24h4' stroke='L' stroke-width='3' stroke-linecap='round'/>`,
  ],
  barrel: [
    'slate',
    `<path d='M18 12h28c3 12 3 28 0 40H18c-3-12-3-28 0-40z' fill='W'/><path d='M16.5 22h31M16.5 42h31' stroke='T' stroke-width='3.6'/><path d='M32 25c4 5 5 7 5 9a5 5 0 0 1-10 0c0-2 1-4 5-9z' fill='S'/>`,
  ],
  gold: ['amber', `<path d='M24 14h16l4 14H20z' fill='W'/><path d='M12 33h16l4 17H8z' fill='T'/><path d='M36 33h16l4 17H32z' fill='W'/>`],
  company: [
    'blue',
    `<path d='M13 54V16l19-6v44z' fill='W'/><path d='M32 54V22l19 5v27z' fill='T'/><path d='M18 22h4M25 20h3M18 30h4M25 30h3M18 38h4M25 38h3M18 46h4M25 46h3M38 31h3M45 32h2M38 39h3M45 39h2M38 47h3M45 47h2' stroke='L' stroke-width='3.6'/>`,
  ],
  bell: [
    'green',
    `<path d='M32 9c-9 0-14 7-14 16 0 12-6 14-6 19h40c0-5-6-7-6-19 0-9-5-16-14-16z' fill='W'/><path d='M26 47a6 6 0 0 0 12 0z' fill='T'/><path d='M24 26c0-6 3-10 8-10' fill='none' stroke='L' stroke-width='2.6' stroke-linecap='round'/>`,
  ],
  cpu: [
    'violet',
    `<path d='M24 8v48M32 8v48M40 8v48M8 24h48M8 32h48M8 40h48' stroke='T' stroke-width='3' stroke-linecap='round'/><rect x='15' y='15' width='34' height='34' rx='6' fill='W'/><rect x='23' y='23' width='18' height='18' rx='4' fill='L'/>`,
  ],
  ai: [
    'violet',
    `<path d='M30 8l5.5 16.5L52 30l-16.5 5.5L30 52l-5.5-16.5L8 30l16.5-5.5z' fill='W'/><path d='M49 38l2.6 6.4L58 47l-6.4 2.6L49 56l-2.6-6.4L40 47l6.4-2.6zM50 8l1.8 4.2L56 14l-4.2 1.8L50 20l-1.8-4.2L44 14l4.2-1.8z' fill='T'/>`,
  ],
  phone: [
    'violet',
    `<rect x='19' y='8' width='26' height='48' rx='6' fill='W'/><rect x='23' y='14' width='18' height='32' rx='2' fill='L'/><path d='M29 51h6' stroke='L' stroke-width='2.6' stroke-linecap='round'/>`,
  ],
  chat: [
    'violet',
    `<path d='M15 12h34a5 5 0 0 1 5 5v22a5 5 0 0 1-5 5H30L18 54V44h-3a5 5 0 0 1-5-5V17a5 5 0 0 1 5-5z' fill='W'/><path d='M19 23h26M19 32h17' stroke='L' stroke-width='3.6' stroke-linecap='round'/>`,
  ],
  rocket: [
    'night',
    `<path d='M32 6c9 7 13 17 12 30l-5 8H25l-5-8C19 23 23 13 32 6z' fill='W'/><circle cx='32' cy='25' r='5.5' fill='L'/><path d='M19.5 31L11 40v10l11-7zM44.5 31l8.5 9v10l-11-7z' fill='T'/><path d='M26.5 46h11c0 6-3 10-5.5 13-2.5-3-5.5-7-5.5-13z' fill='#ffb347'/>`,
  ],
  planet: [
    'night',
    `<circle cx='32' cy='32' r='14' fill='W'/><path d='M45 27c8 0 13 2 13 5 0 5-13 9-27 9S6 37 6 34c0-2 4-4 10-5' fill='none' stroke='T' stroke-width='3.4' stroke-linecap='round'/><circle cx='51' cy='13' r='2.2' fill='W'/><circle cx='13' cy='15' r='1.6' fill='T'/><circle cx='47' cy='52' r='1.6' fill='W'/>`,
  ],
  atom: [
    'violet',
    `<g fill='none' stroke='W' stroke-width='3'><ellipse cx='32' cy='32' rx='23' ry='9'/><ellipse cx='32' cy='32' rx='23' ry='9' transform='rotate(60 32 32)'/><ellipse cx='32' cy='32' rx='23' ry='9' transform='rotate(120 32 32)'/></g><circle cx='32' cy='32' r='5' fill='T'/>`,
  ],
  car: [
    'ice',
    `<path d='M8 40c0-6 2-8 7-9l5-10c1-2 2-3 5-3h14c3 0 4 1 5 3l5 10c5 1 7 3 7 9v5H8z' fill='W'/><path d='M24 22h7v9H20zM34 22h6l4.5 9H34z' fill='L'/><circle cx='19' cy='45' r='6' fill='S' stroke='W' stroke-width='2.6'/><circle cx='45' cy='45' r='6' fill='S' stroke='W' stroke-width='2.6'/>`,
  ],
  film: [
    'rose',
    `<path d='M10 27h44v23a4 4 0 0 1-4 4H14a4 4 0 0 1-4-4z' fill='W'/><path d='M9 21l42-10 2 9-42 10z' fill='T'/><path d='M17 19l7 7.5M30 16l7 7.5M43 13l7 7.5' stroke='L' stroke-width='4'/><path d='M27 34l12 6.5L27 47z' fill='L'/>`,
  ],
  music: [
    'rose',
    `<path d='M24 46V17l27-6v29' fill='none' stroke='W' stroke-width='4.6' stroke-linejoin='round'/><path d='M24 19l27-6v8l-27 6z' fill='W'/><ellipse cx='18' cy='47' rx='8' ry='6.5' fill='T'/><ellipse cx='45' cy='41' rx='8' ry='6.5' fill='T'/>`,
  ],
  microphone: [
    'rose',
    `<rect x='23' y='7' width='18' height='31' rx='9' fill='W'/><path d='M15 29c0 22 34 22 34 0M32 46v9M22 55h20' fill='none' stroke='T' stroke-width='3.6' stroke-linecap='round'/><path d='M28 17h8M28 24h8' stroke='L' stroke-width='2.6' stroke-linecap='round'/>`,
  ],
  television: [
    'rose',
    `<path d='M22 8l10 10L42 8' fill='none' stroke='T' stroke-width='3.4' stroke-linecap='round'/><rect x='8' y='18' width='48' height='34' rx='6' fill='W'/><rect x='14' y='24' width='28' height='22' rx='3' fill='L'/><circle cx='49' cy='29' r='2.4' fill='S'/><circle cx='49' cy='37' r='2.4' fill='S'/>`,
  ],
  camera: [
    'rose',
    `<path d='M23 15h18l4 6h6a4 4 0 0 1 4 4v23a4 4 0 0 1-4 4H13a4 4 0 0 1-4-4V25a4 4 0 0 1 4-4h6z' fill='W'/><circle cx='32' cy='36' r='10' fill='L'/><circle cx='32' cy='36' r='4.5' fill='T'/>`,
  ],
  book: [
    'amber',
    `<path d='M32 17c-6-5-14-6-23-5v36c9-1 17 0 23 5z' fill='W'/><path d='M32 17c6-5 14-6 23-5v36c-9-1-17 0-23 5z' fill='T'/><path d='M15 21c4 0 8 .7 11 2.5M15 29c4 0 8 .7 11 2.5M15 37c4 0 8 .7 11 2.5' stroke='L' stroke-width='2.6' fill='none' stroke-linecap='round'/>`,
  ],
  sun: [
    'ice',
    `<path d='M26 8v6M10 14l5 5M5 30h6M42 14l-5 5' stroke='#ffd45c' stroke-width='3.6' stroke-linecap='round'/><circle cx='26' cy='29' r='12' fill='#ffd45c'/><path d='M24 54c-7 0-11-4-11-9s4-9 9-9c2-6 6-9 12-9 7 0 12 5 12 11 5 0 8 3 8 8s-3 8-8 8z' fill='W'/>`,
  ],
  storm: [
    'slate',
    `<path d='M20 38c-6 0-11-4-11-10 0-5 4-9 9-9 2-7 8-11 15-11 8 0 14 6 14 13 5 1 8 4 8 9s-4 8-9 8z' fill='W'/><path d='M33 32L22 46h8l-4 12 14-17h-8l5-9z' fill='#ffd45c'/>`,
  ],
  thermometer: [
    'red',
    `<path d='M25 14a7 7 0 0 1 14 0v22a12 12 0 1 1-14 0z' fill='W'/><circle cx='32' cy='45' r='7' fill='L'/><path d='M32 45V20' stroke='L' stroke-width='5' stroke-linecap='round'/><path d='M44 16h7M44 24h5M44 32h7' stroke='T' stroke-width='3' stroke-linecap='round'/>`,
  ],
  wave: [
    'ice',
    `<path d='M8 44c6-22 22-31 38-24-10-1-14 6-10 12s14 4 20-2v22H8z' fill='W'/><path d='M8 50c6-4 10-4 14 0s8 4 12 0 8-4 12 0 6 3 10 0' fill='none' stroke='L' stroke-width='3' stroke-linecap='round'/>`,
  ],
  parachute: [
    'amber',
    `<path d='M8 29C8 16 19 8 32 8s24 8 24 21c-4-4-12-4-16 0-4-4-12-4-16 0-4-4-12-4-16 0z' fill='W'/><path d='M24 29c0-12 3-19 8-21 5 2 8 9 8 21-4-4-12-4-16 0z' fill='T'/><path d='M8 29l20 16M56 29L36 45M24 29l6 16M40 29l-6 16' stroke='W' stroke-width='1.8'/><rect x='25' y='44' width='14' height='12' rx='2.5' fill='W'/><path d='M32 44v12M25 49h14' stroke='L' stroke-width='2.2'/>`,
  ],
  coins: [
    'amber',
    `<ellipse cx='26' cy='47' rx='16' ry='6.5' fill='T'/><path d='M10 40v7c0 3.6 7 6.5 16 6.5s16-2.9 16-6.5v-7z' fill='T'/><ellipse cx='26' cy='40' rx='16' ry='6.5' fill='W'/><path d='M10 33v7c0 3.6 7 6.5 16 6.5S42 43.6 42 40v-7z' fill='W'/><ellipse cx='26' cy='33' rx='16' ry='6.5' fill='T'/><circle cx='44' cy='20' r='12' fill='W'/><circle cx='44' cy='20' r='7.5' fill='none' stroke='L' stroke-width='2.4'/>`,
  ],
  lock: [
    'slate',
    `<path d='M21 28v-6a11 11 0 0 1 22 0v6' fill='none' stroke='T' stroke-width='5'/><rect x='13' y='27' width='38' height='27' rx='6' fill='W'/><circle cx='32' cy='38' r='4' fill='L'/><path d='M32 40v7' stroke='L' stroke-width='3.6' stroke-linecap='round'/>`,
  ],
  heart: [
    'rose',
    `<path d='M32 53C17 43 10 35 10 25c0-7 5-12 11-12 5 0 9 3 11 7 2-4 6-7 11-7 6 0 11 5 11 12 0 10-7 18-22 28z' fill='W'/><path d='M17 25c0-3 2-5 5-5' fill='none' stroke='L' stroke-width='3' stroke-linecap='round'/>`,
  ],
  question: [
    'indigo',
    `<path d='M22 24c0-7 4-11 10-11s10 4 10 10c0 8-10 8-10 16' fill='none' stroke='W' stroke-width='6' stroke-linecap='round'/><circle cx='32' cy='49.5' r='4.2' fill='T'/>`,
  ],
}
