import { formatLots, formatPrice, parseLots, parsePrice } from '@augury/units/decimal'
import { type Grid, ONE } from '@augury/units/price'
import type { Market } from '@augury/wire/market'
import type { OrderRequest } from '@augury/wire/order-body'

/** A market as the maker sees it. Prices in steps, sizes in lots. */
export interface Quoted {
  condition: string
  tokens: readonly [yes: string, no: string]
  grid: Grid
  minLots: number
  /** Where the price comes back to, and where it is now. */
  anchor: number
  fair: number
  /** The same before it is put on the grid, as log-odds: on a coarse grid many small moves are one tick. */
  odds: number
  /** The step of the bot at which it moved last. */
  movedAt: number
  /** One of the windows of a series: gone within minutes, so it is always quoted in depth. */
  isShort: boolean
}

const within = (steps: number, grid: number) => Math.min(Math.max(Math.round(steps / grid) * grid, grid), ONE - grid)

const logOdds = (steps: number) => Math.log(steps / (ONE - steps))

/**
 * A market at a price between 0 and 1, which it comes back to from where it was (`last`, in steps). Null when it takes no orders, or when the
 * price says that it is decided.
 */
export function quoted(market: Market, price: number, last?: number): Quoted | null {
  if (!market.accepting_orders || market.tokens.length !== 2 || price <= 0 || price >= 1) return null
  const grid = parsePrice(String(market.minimum_tick_size)) as number as Grid
  const anchor = within(price * ONE, grid)
  const fair = last === undefined ? anchor : within(last, grid)
  const isShort = market.event.series_slug !== null
  const tokens = [market.tokens[0]!.token_id, market.tokens[1]!.token_id] as const
  return {
    condition: market.condition_id,
    tokens,
    grid,
    minLots: parseLots(String(market.minimum_order_size)),
    anchor,
    fair,
    odds: logOdds(fair),
    movedAt: 0,
    isShort,
  }
}

/** How far a price goes in a turn, and what part of the way back to its anchor, in log-odds: an outsider moves less than an even race. */
const STRIDE = 0.05
const PULL = 0.03

/** Lets the price wander, on the whole back towards its anchor. A market whose last turn is long ago makes up for `turns` at once. */
export function wander(market: Quoted, random: () => number, turns = 1): void {
  const noise = 2 * (random() + random() + random()) - 3
  market.odds += (logOdds(market.anchor) - market.odds) * (1 - (1 - PULL) ** turns) + noise * STRIDE * Math.sqrt(turns)
  market.fair = within(ONE / (1 + Math.exp(-market.odds)), market.grid)
}

/**
 * Post-only bids for both tokens, `levels` ticks deep, larger further out. Two bids that together are worth 1 mint their shares, so
 * a maker who quotes both sides like this needs money and no shares.
 */
export function ladder({ tokens, grid, minLots, fair }: Quoted, levels: number, scale: number): OrderRequest[] {
  return tokens.flatMap((tokenId, outcome) => {
    const centre = outcome === 0 ? fair : ONE - fair
    return Array.from({ length: levels }, (_, level) => ({
      price: centre - (level + 1) * grid,
      lots: Math.max(minLots, (level + 1) * scale),
    }))
      .filter(({ price }) => price >= grid)
      .map(
        ({ price, lots }) =>
          ({ tokenId, side: 'BUY', orderType: 'GTC', price: formatPrice(price), size: formatLots(lots), postOnly: true }) as const,
      )
  })
}
