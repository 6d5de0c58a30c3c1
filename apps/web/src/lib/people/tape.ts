import { parseLots, parsePrice } from '@augury/units/decimal'
import type { Activity } from '@augury/wire/data'
import type { PublicTrade } from '@augury/wire/trade'
import { outcomeName } from '#lib/language/outcome-name.ts'

/** A trade for a list of several markets: price in steps, lots, value in USDC, time in Unix milliseconds. */
export interface TapeRow {
  id: string
  /** Checksummed address of the trader; in public lists, the taker. */
  address: string
  username: string | null
  side: 'BUY' | 'SELL'
  outcome: string
  price: number
  lots: number
  value: number
  title: string
  /** Path of its market's picture. */
  picture: string
  slug: string
  eventSlug: string
  at: number
}

/** Converts a public trade of the exchange. */
export const tapeRow = (trade: PublicTrade, nameOf: (address: string) => string | null, picture: string): TapeRow => ({
  id: trade.id,
  address: trade.taker_address,
  username: nameOf(trade.taker_address),
  side: trade.side,
  outcome: outcomeName(trade.outcome),
  price: parsePrice(trade.price),
  lots: parseLots(trade.size),
  value: Number(trade.usdc_size),
  picture,
  title: trade.title,
  slug: trade.slug,
  eventSlug: trade.event_slug,
  at: trade.timestamp * 1000,
})

/** Converts a trade from a person's history: with their own side and token, even as the maker. */
export const ownTapeRow = (trade: Activity, username: string | null, picture: string): TapeRow => ({
  id: trade.transactionHash,
  address: trade.proxyWallet,
  username,
  side: trade.side === 'SELL' ? 'SELL' : 'BUY',
  outcome: outcomeName(trade.outcome),
  price: Math.round(trade.price * 10_000),
  lots: Math.round(trade.size * 100),
  value: trade.usdcSize,
  picture,
  title: trade.title,
  slug: trade.slug,
  eventSlug: trade.eventSlug,
  at: trade.timestamp * 1000,
})
