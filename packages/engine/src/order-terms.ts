import type { OrderType, SelfTrade, Side } from './command.ts'
import type { EndReason, OrderState } from './event.ts'

/** The values behind the small numbers in columns and commands. The journal keeps the numbers, so an index never changes. */
export const SIDES: readonly Side[] = ['BUY', 'SELL']
export const ORDER_TYPES: readonly OrderType[] = ['GTC', 'GTD', 'FOK', 'FAK']
export const SELF_TRADES: readonly SelfTrade[] = ['expire_maker', 'expire_taker', 'expire_both', 'decrement', 'none']
export const STATES: readonly OrderState[] = ['live', 'partially_filled', 'filled', 'cancelled', 'expired', 'rejected']
export const END_REASONS: readonly (EndReason | null)[] = [
  null, 'user', 'cancel_all', 'market_cancel', 'heartbeat', 'disconnect', 'admin', 'stp', 'fak_remainder', 'pause',
  'market_closed', 'resolved', 'amend_replaced', 'expired', 'fok_not_filled', 'fak_no_match', 'post_only_would_cross', 'self_trade',
] // biome-ignore format: a list of words

export const GTC = 0
export const GTD = 1
export const FOK = 2
export const FAK = 3
export const BUY = 0
export const SELL = 1
export const LIVE = 0
export const PARTIALLY_FILLED = 1
export const FILLED = 2
export const CANCELLED = 3
export const EXPIRED = 4
export const REJECTED = 5
/** The number of an end reason. */
export const endReason = (reason: EndReason): number => END_REASONS.indexOf(reason)

/** Bid or ask of the Yes book. */
export const isBid = (outcome: number, side: number): boolean => outcome === side
