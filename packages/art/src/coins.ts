import { FAMILIES, type Family } from './palette.ts'
import { disc, line, path, polygon } from './shapes.ts'

const own = (lit: string, deep: string): Family => ({ ...FAMILIES.amber, lit, deep })
const ETHER = [
  path('M32 12 45 33 32 40.5 19 33z', '#5b67c7'),
  path('M32 12V40.5L45 33z', '#3d468f'),
  path('M32 43.5 45 36 32 53 19 36z', '#5b67c7'),
  path('M32 43.5V53L45 36z', '#3d468f'),
].join('')

/** Coins: the ground, and the mark on the disc. A text is written on it. */
const COINS: Readonly<Record<string, { ground: Family; mark: string }>> = {
  btc: {
    ground: own('#f2942a', '#a24d05'),
    mark: line('M27 21v22M24 21h10c8 0 8 10 0 10.5h-7 8c9 0 9 11.5 0 11.5H24M29 17v4M35 17v4M29 43v4M35 43v4', '#d9740f', 3.6),
  },
  eth: { ground: own('#6f7de0', '#2d3380'), mark: `<g transform='translate(32 32) scale(.74) translate(-32 -32.5)'>${ETHER}</g>` },
  sol: {
    ground: own('#8c4fe6', '#0f766e'),
    mark: path('M25 21h20l-5 5.5H20z', '#8c4fe6') + path('M20 29.2h20l5 5.5H25z', '#5566c9') + path('M25 37.4h20l-5 5.5H20z', '#12a38f'),
  },
  xrp: {
    ground: own('#4c5b70', '#172033'),
    mark: line('M20 21l8 8.5c2.2 2.3 5.8 2.3 8 0l8-8.5M20 43l8-8.5c2.2-2.3 5.8-2.3 8 0l8 8.5', '#334155', 4),
  },
  doge: { ground: own('#c9a227', '#6b4e0a'), mark: line('M26 20v24h6c14 0 14-24 0-24zM21 32h12', '#a27b12', 4.4) },
  bnb: {
    ground: own('#e0ad10', '#7a5606'),
    mark: [
      '32,18 37,23 32,28 27,23',
      '41,27 46,32 41,37 36,32',
      '23,27 28,32 23,37 18,32',
      '32,36 37,41 32,46 27,41',
      '32,28 36,32 32,36 28,32',
    ]
      .map((points) => polygon(points, '#c08f06'))
      .join(''),
  },
  ada: {
    ground: own('#3d6fd6', '#14316f'),
    mark: Array.from({ length: 6 }, (_, n) => {
      const [dx, dy] = [Math.sin((n * Math.PI) / 3), Math.cos((n * Math.PI) / 3)]
      return disc(32 + 6 * dx, 32 + 6 * dy, 2.6, '#2c57b3') + disc(32 + 12.5 * dx, 32 + 12.5 * dy, 1.9, '#2c57b3')
    }).join(''),
  },
  hype: { ground: own('#2dbd9c', '#0b4a44'), mark: path('M19 32c0-14 10-10 13-4s13 10 13 4c0 14-10 10-13 4s-13-10-13-4z', '#11806c') },
}

/** Names of the coins that have a drawing of their own. */
export const COIN_NAMES = Object.keys(COINS)

/** Returns a coin on a square of 64 without its ground, and its ground; null for an unknown name. */
export function coin(name: string): { ground: Family; shapes: string } | null {
  const found = Object.hasOwn(COINS, name) ? COINS[name]! : null
  return found && { ground: found.ground, shapes: onDisc(found.mark) }
}

/** The white disc of all coins with a mark on it. */
export const coinOf = (mark: string): string => onDisc(mark)

const onDisc = (mark: string) =>
  `${disc(32, 34, 21, 'rgb(0 0 0/.18)')}${disc(32, 32, 21, '#fff')}<circle cx='32' cy='32' r='18' fill='none' stroke='#000' stroke-opacity='.1' stroke-width='1.5'/>${mark}`
