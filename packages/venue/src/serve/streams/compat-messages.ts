import type { Hex } from '@augury/engine/command'
import type { Exchange } from '@augury/engine/exchange'
import { transactionHash } from '@augury/signing/transaction-hash'
import { formatLots, formatPrice } from '@augury/units/decimal'
import { getAddress } from 'viem'
import type { Books } from '../../base/books.ts'
import { isHidden, type Markets } from '../reference/markets.ts'
import type { AccountMessage } from '../views/account-messages.ts'
import { compatStatus } from '../views/order-view.ts'
import type { Known } from './known-markets.ts'
import type { MarketChange } from './market-changes.ts'
import * as messages from './market-messages.ts'

/** A message of the established market stream, and who gets it. */
export interface MarketNews {
  /** Tokens whose readers get it; null for everybody who asked for the custom features. */
  assets: readonly string[] | null
  /** Only for those who asked for the custom features. */
  custom: boolean
  /** Whether those get it whatever they follow: a market appeared or was resolved. */
  isNews: boolean
  message: messages.Message
}

/** What established messages are made from. */
export interface CompatSource {
  exchange: Exchange
  books: Books
  markets: Markets
}

/** The messages about a change of a condition. Updates `known`. */
export function marketNews(source: CompatSource, condition: Hex, change: MarketChange, known: Known, at: number): MarketNews[] {
  const { exchange, markets } = source
  const market = markets.market(condition)!
  const tokens = market.tokens
  const scene: messages.Scene = {
    condition,
    tokens,
    top: exchange.depth(condition, 0, 10),
    at,
  }
  const news: MarketNews[] = []
  const add = (message: messages.Message, custom = false, assets: readonly string[] | null = tokens, isNews = false) =>
    news.push({ assets, custom, isNews, message })
  const emitBooks = () => {
    for (const outcome of [0, 1] as const) add(messages.wholeBook(source, condition, outcome), false, [tokens[outcome]])
  }
  for (const fill of change.fills) {
    const message = messages.lastTradePrice(scene, fill)
    add(message, false, [message.asset_id as string])
  }
  if (change.fills.length > 0) emitBooks()
  if (change.levels.size > 0) add(withHashes(source, condition, messages.priceChange(scene, change.levels)))
  for (const event of change.conditions) {
    if (event.change === 'registered' && !isHidden(market)) add(messages.newMarket(scene, market, event.grid), true, null, true)
    if (event.change === 'resolved')
      add(withTexts(messages.marketResolved(scene, market, event.weight ?? 0)), true, tokens, !isHidden(market))
    if (event.change !== 'grid') continue
    for (const message of messages.tickSizeChange(scene, known.grid, event.grid)) add(message, false, [message.asset_id as string])
    emitBooks()
    known.grid = event.grid
  }
  const best = messages.bestPrices(scene.top)
  if (best !== known.best) for (const message of messages.bestBidAsk(scene)) add(message, true, [message.asset_id as string])
  known.best = best
  return news
}

/** A tie has no winner: clients there read texts, and many cannot read null. */
const withTexts = ({ winning_asset_id, winning_outcome, ...message }: messages.Message): messages.Message => ({
  ...message,
  winning_asset_id: winning_asset_id ?? '',
  winning_outcome: winning_outcome ?? '',
})

/** Adds to each change the hash of its book, which clients may compare with the book they hold. */
function withHashes({ books, markets }: CompatSource, condition: Hex, { checksum: _, ...message }: messages.Message): messages.Message {
  const hashes = new Map(
    ([0, 1] as const).map((outcome) => markets.tokenOf(condition, outcome)).map((token) => [token.id, books.book(token, 'best_last').hash]),
  )
  const changes = message.price_changes as { asset_id: string }[]
  return { ...message, event_type: 'price_change', price_changes: changes.map((one) => ({ ...one, hash: hashes.get(one.asset_id) })) }
}

const SETTLING = ['MATCHED', 'MINED', 'CONFIRMED'] as const

type OfType<Message, Type> = Message extends { event_type: Type } ? Message : never
/** An event of an account in the established shape. */
export type UserNews = OfType<AccountMessage, 'trade'> | (Omit<OfType<AccountMessage, 'order'>, 'created_at'> & { created_at: string })

/**
 * An event of an account as the established user stream reports it: a trade once per step of its settlement. Here it is settled at once,
 * but clients wait for one step or another, many for the first.
 */
export const userNews = (message: AccountMessage): UserNews[] =>
  message.event_type === 'trade'
    ? SETTLING.map((status) => ({
        ...message,
        status,
        event_id: status === message.status ? message.event_id : `${message.event_id}-${status.toLowerCase()}`,
      }))
    : [{ ...message, status: compatStatus(message.status), created_at: String(message.created_at) }]

/** Trades of a change in the shape of the live tape. */
export function liveTrades(
  { markets }: CompatSource,
  stream: string,
  condition: Hex,
  change: MarketChange,
  at: number,
): Record<string, unknown>[] {
  const market = markets.market(condition)!
  const { metadata } = market
  return change.fills.map(({ seq, tradeN, fill }) => ({
    asset: market.tokens[fill.taker.outcome],
    bio: '',
    conditionId: condition,
    eventSlug: metadata.event.slug,
    icon: metadata.icon,
    name: '',
    outcome: market.outcomes[fill.taker.outcome],
    outcomeIndex: fill.taker.outcome,
    price: Number(formatPrice(messages.tradePrice(fill))),
    profileImage: '',
    proxyWallet: getAddress(fill.taker.account),
    pseudonym: '',
    side: fill.taker.side,
    size: Number(formatLots(fill.lots)),
    slug: market.questionSlug,
    timestamp: Math.floor(at / 1000),
    title: metadata.question,
    transactionHash: transactionHash(stream, seq, tradeN),
  }))
}

/** A message of the market stream in the shape of the live-data path, or null when that path does not have it. */
export function liveMarket({ event_type, ...message }: messages.Message): { type: string; payload: unknown } | null {
  switch (event_type) {
    case 'price_change': {
      const changes = message.price_changes as Record<string, string>[]
      const pc = changes.map((one) => ({
        a: one.asset_id,
        h: one.hash,
        p: one.price,
        s: one.side,
        si: one.size,
        ba: one.best_ask,
        bb: one.best_bid,
      }))
      return { type: event_type, payload: { m: message.market, pc, t: message.timestamp } }
    }
    case 'book':
      return { type: 'agg_orderbook', payload: message }
    case 'last_trade_price':
    case 'tick_size_change':
    case 'market_resolved':
      return { type: event_type, payload: message }
    case 'new_market':
      return { type: 'market_created', payload: message }
    default:
      return null
  }
}
