import type { CancelReason, ConditionMode, Hex, Outcome, Place, VenueMode } from '@augury/engine/command'
import type { EndReason, EntryReason, OrderState, Refusal } from '@augury/engine/event'

/** An order of the reference exchange, live or ended. It is kept with its whole placement. */
export interface NaiveOrder {
  place: Place
  /** Limit in effect: of an order by budget, rounded down to the grid. */
  price: number
  lots: number
  remaining: number
  matched: number
  cost: number
  state: OrderState
  reason: EndReason | null
  seq: number
  at: number
  endedAt: number | null
  first: { matched: number; cost: number; fee: number; fills: number; state: OrderState }
}

/** What an account owns. What is held is never stored: it is the sum over its open orders. */
export interface NaiveAccount {
  cash: number
  withdrawing: number
  shares: Map<Hex, [yes: number, no: number]>
  referrer: Hex | null
  tier: number
  stpGroup: number
  banned: boolean
  /** `armed`: at which position. */
  deadMan: { deadline: number; reason: 'heartbeat' | 'disconnect'; armed: number } | null
}

export interface NaiveCondition {
  id: Hex
  mode: ConditionMode
  creator: Hex
  grid: number
  minLots: number
  minNotional: number
  feeBps: number
  rebateBps: number
  affiliateBps: number
  event: Hex | null
  weight: number | null
  /** Millionths behind the shares in circulation. */
  locked: number
}

export interface NaiveEvent {
  size: number
  members: Hex[]
  /** Lots of No turned into the Yes of all others. */
  converted: number
  /** Millionths kept for what was converted and is not yet resolved. */
  cash: number
}

export interface NaiveFill {
  maker: Hex
  taker: Hex
  kind: 'direct' | 'mint' | 'merge'
  lots: number
  /** In the taker's token. */
  price: number
  fee: number
}

/** What one command did, in the form both engines are reduced to before they are compared. */
export interface Result {
  refused: Refusal | null
  /** State of the order a cancel or an amend was refused for. */
  refusedState: OrderState | null
  placed: { orderId: Hex; state: OrderState; reason: EndReason | null; again: boolean; first: NaiveOrder['first'] } | null
  fills: NaiveFill[]
  /** `id state reason` of each order that ended, the placed one included. */
  ended: string[]
  /** `id lots remaining reason` of each order made smaller. */
  reduced: string[]
}

/** Everything the reference exchange knows, and the sums that are derived from it. */
export class NaiveState {
  seq = 0
  at = 0
  mode: VenueMode = 'normal'
  supply = 0
  readonly accounts = new Map<Hex, NaiveAccount>()
  readonly conditions = new Map<Hex, NaiveCondition>()
  readonly events = new Map<Hex, NaiveEvent>()
  /** On their way out. */
  readonly withdrawals = new Map<Hex, { account: Hex; amount: number }>()
  /** References of the last ten minutes; older ones are the read model's to know. */
  readonly refs = new Map<Hex, number>()
  readonly requests = new Map<Hex, number>()
  /** Live ones, and those that ended less than ten minutes ago. */
  readonly orders = new Map<Hex, NaiveOrder>()
  /** Closed conditions whose orders wait for a sweep, in the order of closing. */
  readonly closing: Hex[] = []
  /** Live ones, oldest first. */
  book: NaiveOrder[] = []
  result: Result = emptyResult()

  account(id: Hex): NaiveAccount {
    let account = this.accounts.get(id)
    if (!account) {
      account = { cash: 0, withdrawing: 0, shares: new Map(), referrer: null, tier: 0, stpGroup: 0, banned: false, deadMan: null }
      this.accounts.set(id, account)
    }
    return account
  }

  open(account: Hex): NaiveOrder[] {
    return this.book.filter((order) => order.place.account === account)
  }

  heldCash(account: Hex): number {
    return this.open(account).reduce((sum, order) => sum + (order.place.side === 'BUY' ? order.price * order.remaining : 0), 0)
  }

  freeCash(account: Hex): number {
    return this.account(account).cash - this.heldCash(account)
  }

  shares(account: Hex, condition: Hex, outcome: Outcome): number {
    return this.accounts.get(account)?.shares.get(condition)?.[outcome] ?? 0
  }

  heldShares(account: Hex, condition: Hex, outcome: Outcome): number {
    const pledged = (order: NaiveOrder) =>
      order.place.side === 'SELL' && order.place.condition === condition && order.place.outcome === outcome
    return this.open(account).reduce((sum, order) => sum + (pledged(order) ? order.remaining : 0), 0)
  }

  freeShares(account: Hex, condition: Hex, outcome: Outcome): number {
    return this.shares(account, condition, outcome) - this.heldShares(account, condition, outcome)
  }

  pay(account: Hex, amount: number, _reason: EntryReason): void {
    this.account(account).cash += amount
  }

  give(account: Hex, condition: Hex, outcome: Outcome, lots: number): void {
    const { shares } = this.account(account)
    const pair = shares.get(condition) ?? [0, 0]
    pair[outcome] += lots
    shares.set(condition, pair)
  }

  /** Whether time has run out for a live order, swept or not. */
  isExpired(order: NaiveOrder): boolean {
    return order.place.expiration !== 0 && order.place.expiration * 1000 <= this.at
  }

  end(order: NaiveOrder, state: OrderState, reason: EndReason | null): void {
    order.state = state
    order.reason = reason
    order.endedAt = this.at
    if (state !== 'rejected') this.book = this.book.filter((other) => other !== order)
    this.result.ended.push(`${order.place.orderId} ${state} ${reason}`)
  }

  /** Ends a live order by somebody's word, unless its time ran out before. */
  cancel(order: NaiveOrder, reason: CancelReason | EndReason): void {
    if (this.isExpired(order)) this.end(order, 'expired', 'expired')
    else this.end(order, 'cancelled', reason)
  }

  refuse(code: Refusal, state: OrderState | null = null): void {
    this.result.refused = code
    this.result.refusedState = state
  }
}

export function emptyResult(): Result {
  return { refused: null, refusedState: null, placed: null, fills: [], ended: [], reduced: [] }
}
