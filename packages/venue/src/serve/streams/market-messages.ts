import type { ConditionMode, Hex } from '@augury/engine/command'
import { formatLots, formatPrice } from '@augury/units/decimal'
import { ONE } from '@augury/units/price'
import { bookChecksum } from '@augury/wire/checksum'
import { type Books, type Depth, OTHER_SIDE } from '../../base/books.ts'
import type { MarketRecord, Markets } from '../reference/markets.ts'
import type { MarketChange } from './market-changes.ts'

/** A message of the market stream without its log position. */
export type Message = { event_type: string } & Record<string, unknown>

/** What messages about a condition are made from. */
export interface Scene {
  condition: Hex
  /** Token ids of Yes and No. */
  tokens: readonly [string, string]
  /** Top of the Yes book after the row, at least ten levels deep. */
  top: Depth
  /** Engine milliseconds of the row. */
  at: number
}

/** Best bid and ask of Yes as one text, to notice when either changes. */
export const bestPrices = ({ bids, asks }: Depth): string => `${bids[0]?.[0]} ${asks[0]?.[0]}`

/** Best bid and ask of each token; an empty side reads "0" or "1". */
function bests({ top }: Scene): { best_bid: string; best_ask: string }[] {
  const bid = top.bids[0]?.[0] ?? 0
  const ask = top.asks[0]?.[0] ?? ONE
  return [
    { best_bid: formatPrice(bid), best_ask: formatPrice(ask) },
    { best_bid: formatPrice(ONE - ask), best_ask: formatPrice(ONE - bid) },
  ]
}

const named = (levels: Depth['bids']) => levels.map(([price, lots]) => ({ price: formatPrice(price), size: formatLots(lots) }))

/** The book of a token of a condition, as it is now. */
export const wholeBook = ({ books, markets }: { books: Books; markets: Markets }, condition: Hex, outcome: 0 | 1): Message => ({
  event_type: 'book',
  ...books.book(markets.tokenOf(condition, outcome), 'best_last'),
})

/** The new sizes of changed levels, for both tokens. */
export function priceChange(scene: Scene, levels: MarketChange['levels']): Message {
  const [yes, no] = bests(scene)
  const changes = [...levels.values()].flatMap(({ side, price, lots }) => {
    const own = side === 'bid' ? 'BUY' : 'SELL'
    const size = formatLots(lots)
    return [
      { asset_id: scene.tokens[0], price: formatPrice(price), size, side: own, ...yes },
      { asset_id: scene.tokens[1], price: formatPrice(ONE - price), size, side: OTHER_SIDE[own], ...no },
    ]
  })
  return {
    event_type: 'price_change',
    market: scene.condition,
    timestamp: String(scene.at),
    price_changes: changes,
    checksum: bookChecksum(named(scene.top.bids), named(scene.top.asks)),
  }
}

/** A fill, in the taker's token with the taker's side. */
export function lastTradePrice(scene: Scene, { seq, tradeN, fill }: MarketChange['fills'][number]): Message {
  const { outcome, side } = fill.taker
  return {
    event_type: 'last_trade_price',
    market: scene.condition,
    asset_id: scene.tokens[outcome],
    price: formatPrice(tradePrice(fill)),
    size: formatLots(fill.lots),
    side,
    fee_rate_bps: String(fill.feeBps),
    timestamp: String(scene.at),
    trade_id: `${seq}-${tradeN}`,
    fill_id: `${seq}-${fill.n}`,
    match_type: fill.kind,
  }
}

/** Price of a fill in steps of the taker's token: the maker's limit, mirrored when it was on the other token. */
export const tradePrice = (fill: MarketChange['fills'][number]['fill']): number =>
  fill.maker.outcome === fill.taker.outcome ? fill.maker.price : ONE - fill.maker.price

/** Best bid and ask of both tokens. */
export function bestBidAsk(scene: Scene): Message[] {
  const spread = scene.top.bids[0] && scene.top.asks[0] ? scene.top.asks[0][0] - scene.top.bids[0][0] : 0
  return bests(scene).map((best, outcome) => ({
    event_type: 'best_bid_ask',
    market: scene.condition,
    asset_id: scene.tokens[outcome as 0 | 1],
    ...best,
    spread: formatPrice(spread),
    timestamp: String(scene.at),
  }))
}

/** A finer grid, once per token. */
export function tickSizeChange(scene: Scene, from: number, to: number): Message[] {
  return scene.tokens.map((token) => ({
    event_type: 'tick_size_change',
    market: scene.condition,
    asset_id: token,
    old_tick_size: formatPrice(from),
    new_tick_size: formatPrice(to),
    timestamp: String(scene.at),
  }))
}

const tagsOf = (market: MarketRecord): string[] => market.metadata.event.tags.map((tag) => tag.name)

/** The resolution of a condition; `weight` is what one Yes pays, in steps. A split resolution has no winner. */
export function marketResolved(scene: Scene, market: MarketRecord, weight: number): Message {
  const winner = weight === ONE ? 0 : weight === 0 ? 1 : null
  return {
    event_type: 'market_resolved',
    id: scene.condition,
    market: scene.condition,
    assets_ids: scene.tokens,
    winning_asset_id: winner === null ? null : scene.tokens[winner],
    winning_outcome: winner === null ? null : market.outcomes[winner],
    payouts: [formatPrice(weight), formatPrice(ONE - weight)],
    timestamp: String(scene.at),
    tags: tagsOf(market),
  }
}

/** A condition that just opened. */
export function newMarket(scene: Scene, market: MarketRecord, grid: number): Message {
  return {
    event_type: 'new_market',
    id: scene.condition,
    market: scene.condition,
    condition_id: scene.condition,
    question: market.metadata.question,
    slug: market.questionSlug,
    description: market.metadata.description,
    assets_ids: scene.tokens,
    clob_token_ids: scene.tokens,
    outcomes: market.outcomes,
    event_message: {
      id: market.metadata.event.slug,
      ticker: market.metadata.event.slug,
      slug: market.metadata.event.slug,
      title: market.metadata.event.title,
      description: market.metadata.event.rules,
    },
    timestamp: String(scene.at),
    tags: tagsOf(market),
    active: true,
    order_price_min_tick_size: formatPrice(grid),
  }
}

/** The new mode of a condition. */
export const marketMode = (scene: Scene, mode: ConditionMode): Message => ({
  event_type: 'market_mode',
  market: scene.condition,
  mode,
  timestamp: String(scene.at),
})
