import type { CancelReason, ConditionMode, Hex, OrderType, Outcome, Side, VenueMode } from './command.ts'

/** Why a command changed nothing. The texts and HTTP statuses are in `wire/refusals`. */
export type Refusal =
  | 'unknown_token'
  | 'market_closed'
  | 'market_paused'
  | 'cancel_only'
  | 'post_only_mode'
  | 'venue_paused'
  | 'invalid_price_tick'
  | 'price_out_of_range'
  | 'size_too_small'
  | 'amount_too_small'
  | 'size_too_large'
  | 'invalid_expiration'
  | 'post_only_type'
  | 'insufficient_balance'
  | 'insufficient_shares'
  | 'duplicate_order'
  | 'self_trade'
  | 'account_banned'
  | 'too_many_orders'
  | 'event_incomplete'
  | 'order_not_found'
  | 'order_not_owned'
  | 'order_ended'
  | 'not_smaller'
  | 'condition_exists'
  | 'condition_not_open'
  | 'condition_not_resolved'
  | 'condition_not_empty'
  | 'invalid_weight'
  | 'event_full'
  | 'duplicate_ref'
  | 'unknown_ref'
  | 'supply_exceeded'
  | 'invalid_amount'
  | 'internal_error'

/** Why an order ended without being filled. The first group are cancellations, the second rejections. */
export type EndReason =
  | CancelReason
  | 'stp'
  | 'fak_remainder'
  | 'pause'
  | 'market_closed'
  | 'resolved'
  | 'amend_replaced'
  | 'expired'
  | 'fok_not_filled'
  | 'fak_no_match'
  | 'post_only_would_cross'
  | 'self_trade'

export type OrderState = 'live' | 'partially_filled' | 'filled' | 'cancelled' | 'expired' | 'rejected'

/** The current state of an order, live or ended within the last ten minutes. */
export interface OrderView {
  orderId: Hex
  account: Hex
  condition: Hex
  outcome: Outcome
  side: Side
  orderType: OrderType
  /** Steps of the order's own token. */
  price: number
  /** Whole size in lots; for an order by budget the lots it got. */
  lots: number
  /** Millionths that it may spend, 0 for an order by lots. */
  budget: number
  remaining: number
  matched: number
  /** Millionths spent or received for `matched`, without fees. */
  matchedCost: number
  expiration: number
  postOnly: boolean
  state: OrderState
  reason: EndReason | null
  /** Log position of the placement and engine milliseconds of its row. */
  seq: number
  at: number
  /** Of the placement itself: what it matched at once, and how many fills that took. */
  first: { matched: number; cost: number; fee: number; fills: number; state: OrderState }
  annex: Uint8Array
}

export type EntryReason =
  | 'deposit'
  | 'withdraw'
  | 'withdraw_settled'
  | 'withdraw_returned'
  | 'trade'
  | 'fee'
  | 'rebate'
  | 'affiliate'
  | 'split'
  | 'merge'
  | 'convert'
  | 'redeem'

/** What a command did: plain data in order of time. The first event of a command is its answer. */
export type Event =
  /** `details` are millionths for USDC, lots for shares. `state` is that of the order a cancel, reduce or replace is about. */
  | { type: 'refused'; code: Refusal; details: { available: number; reserved: number; required: number } | null; state: OrderState | null }
  /** `again`: a retry of a known placement; `order` has its first answer. An order id is never used for another order. */
  | { type: 'placed'; order: OrderView; again: boolean }
  | {
      type: 'fill'
      /** Counts the fills of this command from 1: the fill's id is `seq-n`. */
      n: number
      condition: Hex
      kind: 'direct' | 'mint' | 'merge'
      lots: number
      /** `price` is what the taker paid or got per share, in its own token: the maker's price or its complement. */
      taker: { orderId: Hex; account: Hex; outcome: Outcome; side: Side; price: number }
      /** `price` is the maker's limit in its own token. */
      maker: { orderId: Hex; account: Hex; outcome: Outcome; side: Side; price: number; remaining: number; annex: Uint8Array }
      /** Fee of the taker for this fill in millionths, and the basis points of the condition that it was charged by. */
      fee: number
      feeBps: number
    }
  | { type: 'reduced'; orderId: Hex; account: Hex; lots: number; remaining: number; reason: 'amend' | 'stp' }
  /** An order left the book or never entered it: filled, cancelled, expired or rejected. */
  | { type: 'ended'; order: OrderView }
  /** Net change of one account in one asset for one reason by this command; `asset` is null for USDC, `balance` is free plus held after it. */
  | { type: 'entry'; account: Hex; asset: { condition: Hex; outcome: Outcome } | null; delta: number; balance: number; reason: EntryReason }
  /** A level after the whole command, in Yes steps; 0 lots when it is gone. */
  | { type: 'level'; condition: Hex; side: 'bid' | 'ask'; price: number; lots: number }
  | {
      type: 'condition'
      condition: Hex
      change: 'registered' | 'mode' | 'grid' | 'fee' | 'resolved'
      mode: ConditionMode
      grid: number
      weight: number | null
    }
  | { type: 'account'; account: Hex; referrer: Hex | null; tier: number; stpGroup: number; banned: boolean }
  | { type: 'mode'; mode: VenueMode }
  /** The answer of a command without one of its own; other events may follow. Also the answer to a repeated signed request. */
  | { type: 'done' }

/** The answer to a command that changed nothing. */
export type Refused = Extract<Event, { type: 'refused' }>
