import { ONE } from '@augury/units/price'
import type { BookView, Level } from '#lib/book/book-view.ts'

/** A corner of the drawing of depth: a price in steps, and the lots that rest between it and the best offer of its side. */
export interface DepthPoint {
  price: number
  lots: number
}

/** What rests on both sides of a book, from the best offer outwards, within the prices that are drawn. */
export interface Depth {
  bids: DepthPoint[]
  asks: DepthPoint[]
  from: number
  to: number
  most: number
}

/** Least distance of the drawn prices from the middle, in steps. */
const REACH = 1000

/**
 * Running totals of a book around its middle: far levels that nobody trades at would leave the near ones without width. Null for a book without
 * orders.
 */
export function depthOf({ bids, asks }: BookView): Depth | null {
  const best = [bids[0]?.price, asks[0]?.price].filter((price) => price !== undefined)
  if (best.length === 0) return null
  const middle = best.reduce((sum, price) => sum + price, 0) / best.length
  const reach = Math.max(REACH, ...best.map((price) => 2 * Math.abs(price - middle)))
  const [from, to] = [Math.max(0, Math.floor(middle - reach)), Math.min(ONE, Math.ceil(middle + reach))]
  const within = (levels: readonly Level[]) => totals(levels.filter(({ price }) => price >= from && price <= to))
  const sides = { bids: within(bids), asks: within(asks) }
  return { ...sides, from, to, most: Math.max(1, sides.bids.at(-1)?.lots ?? 0, sides.asks.at(-1)?.lots ?? 0) }
}

function totals(levels: readonly Level[]): DepthPoint[] {
  let lots = 0
  return levels.map((level) => {
    lots += level.lots
    return { price: level.price, lots }
  })
}

/** The lots that an order up to a price would meet; 0 between the best offers. */
export function depthAt(side: readonly DepthPoint[], price: number, isAsk: boolean): number {
  const met = side.filter((point) => (isAsk ? point.price <= price : point.price >= price))
  return met.at(-1)?.lots ?? 0
}

/** The outline of one side in a box of `extent` by `extent`: steps from the best offer outwards to the edge of the drawing. */
export function depthPath({ from, to, most }: Depth, side: readonly DepthPoint[], extent: number): string {
  const [first] = side
  if (!first) return ''
  const isAsk = side.length > 1 ? side[1]!.price > first.price : first.price > (from + to) / 2
  const x = (price: number) => ((extent * (price - from)) / (to - from)).toFixed(1)
  const y = (lots: number) => (extent * (1 - lots / most)).toFixed(1)
  const steps = side.map(({ price, lots }) => `H${x(price)}V${y(lots)}`).join('')
  return `M${x(first.price)} ${extent}${steps}H${isAsk ? extent : 0}V${extent}Z`
}
