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
  /** One of the windows of a series: gone within minutes, so it is always quoted in depth. */
  isShort: boolean
}

const within = (steps: number, grid: number) => Math.min(Math.max(Math.round(steps / grid) * grid, grid), ONE - grid)

/** A market at a price between 0 and 1. Null when it takes no orders, or when the price says that it is decided. */
export function quoted(market: Market, price: number): Quoted | null {
  if (!market.accepting_orders || market.tokens.length !== 2 || price <= 0 || price >= 1) return null
  const grid = parsePrice(String(market.minimum_tick_size)) as number as Grid
  const anchor = within(price * ONE, grid)
  const isShort = market.event.series_slug !== null
  const tokens = [market.tokens[0]!.token_id, market.tokens[1]!.token_id] as const
  return {
    condition: market.condition_id,
    tokens,
    grid,
    minLots: parseLots(String(market.minimum_order_size)),
    anchor,
    fair: anchor,
    isShort,
  }
}

/** Lets the price wander: a tick or two, more often back towards the anchor than away from it. */
export function wander(market: Quoted, random: () => number): void {
  const pull = Math.sign(market.anchor - market.fair) * 0.15
  const ticks = Math.round((random() - 0.5 + pull) * 3)
  market.fair = within(market.fair + ticks * market.grid, market.grid)
}

/**
 * Post-only bids for both tokens, `levels` ticks deep, larger further out. Two bids that together are worth 1 mint their shares, so
 * whoever quotes both sides like this needs money and no shares.
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
