/** The commands of the exchange, as plain data. `codec.ts` is their binary form, which is what the journal keeps. */

/** `0x` and lower-case hex: 20 bytes for an address, 32 for an order or a condition. */
export type Hex = `0x${string}`

/** 0 is Yes, 1 is No. */
export type Outcome = 0 | 1
export type Side = 'BUY' | 'SELL'
export type OrderType = 'GTC' | 'GTD' | 'FOK' | 'FAK'
/** What happens when an order would meet one of the same owner or group. */
export type SelfTrade = 'expire_maker' | 'expire_taker' | 'expire_both' | 'decrement' | 'none'
/** Which commands a condition accepts. `closed` ends its orders; `resolved` pays. */
export type ConditionMode = 'open' | 'paused' | 'cancel_only' | 'closed' | 'resolved'
/** Which commands the venue accepts. */
export type VenueMode = 'normal' | 'post_only' | 'cancel_only' | 'paused'
/** Required state of the order to be replaced; `matched` requires exactly so many filled lots. */
export type OnlyIf = 'any' | 'unfilled' | 'partially_filled' | { matched: number }

/** A new order. Exactly one of `lots` and `budget` is positive; a budget is only for a BUY that is FOK or FAK. */
export interface Place {
  type: 'place'
  orderId: Hex
  account: Hex
  condition: Hex
  outcome: Outcome
  side: Side
  orderType: OrderType
  /** Limit, or worst price of a market order, in steps of this order's own token. */
  price: number
  /** Shares in lots; 0 for an order by budget. */
  lots: number
  /** USDC to spend in millionths, fee on top; 0 for an order by shares. */
  budget: number
  /** Unix seconds; 0 for none. */
  expiration: number
  postOnly: boolean
  selfTrade: SelfTrade
  /** Fee account of the deployment whose key placed the order, or null for the condition's creator. */
  deployment: Hex | null
  /** At most 160 bytes stored with the order and never read by the engine: API key, wallet and client order id. */
  annex: Uint8Array
}

/** Amounts are millionths of USDC. A `ref` (of money) or `request` (of a signed call) is 32 bytes that take effect once. */
export type Command =
  | Place
  /** Cancels one order at its owner's request. */
  | { type: 'cancel'; account: Hex; orderId: Hex }
  /** The same as part of a batch: it does not count against the rate limit of single cancels. */
  | { type: 'cancel_in_batch'; account: Hex; orderId: Hex }
  /** Ends all open orders of an account, narrowed to a condition and to one of its tokens. */
  | { type: 'cancel_all'; account: Hex; condition: Hex | null; outcome: Outcome | null; reason: CancelReason }
  /** Makes an order smaller: `lots` is its new total size. It keeps its place in the queue. */
  | { type: 'reduce'; account: Hex; orderId: Hex; lots: number }
  /** Cancels one order and places another in one step; with `requireCancel` nothing happens unless the first could be cancelled. */
  | { type: 'replace'; cancel: Hex; requireCancel: boolean; onlyIf: OnlyIf; place: Place }
  /** Money comes in. */
  | { type: 'deposit'; account: Hex; amount: number; ref: Hex }
  /** Money leaves the free balance, and waits outside of it until the withdrawal with that `ref` is settled or returned. */
  | { type: 'withdraw'; account: Hex; amount: number; ref: Hex }
  | { type: 'end_withdrawal'; ref: Hex; outcome: 'settled' | 'returned' }
  /** Cash becomes as many Yes as No; `merge` is the way back. */
  | { type: 'split'; account: Hex; condition: Hex; lots: number; request: Hex }
  | { type: 'merge'; account: Hex; condition: Hex; lots: number; request: Hex }
  /** No tokens of some conditions of an event become cash, and Yes tokens of its other conditions. */
  | { type: 'convert'; account: Hex; event: Hex; conditions: Hex[]; lots: number; request: Hex }
  /** Pays an account for all it holds of a resolved condition. */
  | { type: 'redeem'; account: Hex; condition: Hex; request: Hex }
  /** Pays up to `limit` holders of a resolved condition. */
  | { type: 'redeem_all'; condition: Hex; limit: number }
  /** A new condition, by itself or as a member of a neg-risk event. */
  | {
      type: 'register'
      condition: Hex
      creator: Hex
      /** Steps: one of the grids. */
      grid: number
      /** Smallest size of a GTC or GTD order, in lots. */
      minLots: number
      /** Smallest notional of a BUY that matches on arrival (its budget, or limit times size), in millionths. */
      minNotional: number
      feeBps: number
      rebateBps: number
      affiliateBps: number
      /** Neg-risk event and how many conditions it will have, or null. */
      event: { id: Hex; size: number } | null
    }
  /** Changes what is not null; a grid only ever becomes finer, and what is closed stays closed. */
  | {
      type: 'set_condition'
      condition: Hex
      mode: Exclude<ConditionMode, 'resolved'> | null
      grid: number | null
      feeBps: number | null
    }
  /** `weight`: millionths per Yes lot, 0 … 10 000; No gets the rest. */
  | { type: 'resolve'; condition: Hex; weight: number }
  /** Ends due orders (expired, of closing conditions, of fired dead-man switches), at most `limit`. Made by the sequencer only. */
  | { type: 'sweep'; limit: number }
  | { type: 'set_mode'; mode: VenueMode }
  /** Changes what is not null; the first referrer stays. */
  | { type: 'set_account'; account: Hex; referrer: Hex | null; tier: number | null; stpGroup: number | null; banned: boolean | null }
  /** Cancels everything of the account at `deadline` (engine milliseconds) unless armed again; 0 disarms. */
  | { type: 'dead_man'; account: Hex; deadline: number; reason: 'heartbeat' | 'disconnect' }
  /** From the next row on, apply with these rules. */
  | { type: 'upgrade'; rules: number }

/** A command by its type. */
export type CommandOf<T extends Command['type']> = Extract<Command, { type: T }>

/** Why an order was cancelled on request. */
export type CancelReason = 'user' | 'cancel_all' | 'market_cancel' | 'heartbeat' | 'disconnect' | 'admin'
