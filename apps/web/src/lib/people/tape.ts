import { parseLots, parsePrice } from '@augury/units/decimal'
import type { Activity } from '@augury/wire/data'
import type { PublicTrade } from '@augury/wire/trade'
import { outcomeName } from '#lib/language/outcome-name.ts'

/** A trade of any market as a list shows it: price in steps, lots, value in USDC, time in Unix milliseconds. */
export interface TapeRow {
  id: string
  /** Of whoever traded, with its checksum; the taker's in a list of everybody. */
  address: string
  username: string | null
  side: 'BUY' | 'SELL'
  outcome: string
  price: number
  lots: number
  value: number
  title: string
  slug: string
  eventSlug: string
  at: number
}

/** Reads a trade as the exchange lists it. */
export const tapeRow = (trade: PublicTrade, nameOf: (address: string) => string | null): TapeRow => ({
  id: trade.id,
  address: trade.taker_address,
  username: nameOf(trade.taker_address),
  side: trade.side,
  outcome: outcomeName(trade.outcome),
  price: parsePrice(trade.price),
  lots: parseLots(trade.size),
  value: Number(trade.usdc_size),
  title: trade.title,
  slug: trade.slug,
  eventSlug: trade.event_slug,
  at: trade.timestamp * 1000,
})

/** Reads a trade of one person from their history: with their own side and token, also where they were the maker. */
export const ownTapeRow = (trade: Activity, username: string | null): TapeRow => ({
  id: trade.transactionHash,
  address: trade.proxyWallet,
  username,
  side: trade.side === 'SELL' ? 'SELL' : 'BUY',
  outcome: outcomeName(trade.outcome),
  price: Math.round(trade.price * 10_000),
  lots: Math.round(trade.size * 100),
  value: trade.usdcSize,
  title: trade.title,
  slug: trade.slug,
  eventSlug: trade.eventSlug,
  at: trade.timestamp * 1000,
})
