import type { CancelReason, ConditionMode, Hex, Outcome, Place, Side, VenueMode } from '@augury/engine/command'
import type { EndReason, EntryReason, OrderState, Refusal } from '@augury/engine/event'

/** An order of the reference exchange, live or ended, with its whole placement. */
export interface NaiveOrder {
  place: Place
  /** Effective limit; for an order by budget, rounded down to the grid. */
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

/** An account's holdings. Holds are not stored: they are the sum over its open orders. */
export interface NaiveAccount {
  cash: number
  withdrawing: number
  shares: Map<Hex, [yes: number, no: number]>
  referrer: Hex | null
  tier: number
  stpGroup: number
  banned: boolean
  /** `armed`: the position at which it was armed. */
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
  lastTrade: { price: number; outcome: Outcome; side: Side } | null
}

export interface NaiveEvent {
  size: number
  members: Hex[]
  /** Lots of No converted into the Yes of all others. */
  converted: number
  /** Millionths kept for what was converted and is not resolved yet. */
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

/** The result of one command, in the form in which both engines are compared. */
export interface Result {
  refused: Refusal | null
  /** State of the order for which a cancel or an amendment was refused. */
  refusedState: OrderState | null
  placed: { orderId: Hex; state: OrderState; reason: EndReason | null; again: boolean; first: NaiveOrder['first'] } | null
  fills: NaiveFill[]
  /** `id state reason` of each order that ended, including the placed one. */
  ended: string[]
  /** `id lots remaining reason` of each order that was reduced. */
  reduced: string[]
  /** Net change by `account asset reason`, in millionths or lots. */
  entries: Record<string, number>
}

/** The state of the reference exchange, and sums derived from it. */
export class NaiveState {
  seq = 0
  at = 0
  mode: VenueMode = 'normal'
  supply = 0
  readonly accounts = new Map<Hex, NaiveAccount>()
  readonly conditions = new Map<Hex, NaiveCondition>()
  readonly events = new Map<Hex, NaiveEvent>()
  /** Withdrawals in progress. */
  readonly withdrawals = new Map<Hex, { account: Hex; amount: number }>()
  /** References of the last ten minutes; older ones are in the read model. */
  readonly refs = new Map<Hex, number>()
  readonly requests = new Map<Hex, number>()
  /** Live orders, and those that ended less than ten minutes ago. */
  readonly orders = new Map<Hex, NaiveOrder>()
  /** Closed conditions whose orders wait for a sweep, in order of closing. */
  readonly closing: Hex[] = []
  /** Live orders, oldest first. */
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

  pay(account: Hex, amount: number, reason: EntryReason): void {
    this.account(account).cash += amount
    this.#enter(`${account} USDC ${reason}`, amount)
  }

  give(account: Hex, condition: Hex, outcome: Outcome, lots: number, reason: EntryReason): void {
    const { shares } = this.account(account)
    const pair = shares.get(condition) ?? [0, 0]
    pair[outcome] += lots
    shares.set(condition, pair)
    this.#enter(`${account} ${condition} ${outcome} ${reason}`, lots)
  }

  #enter(name: string, delta: number): void {
    const { entries } = this.result
    entries[name] = (entries[name] ?? 0) + delta
    if (entries[name] === 0) delete entries[name]
  }

  /** Whether a live order is past its expiration, swept or not. */
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

  /** Ends a live order on request, unless it expired before. */
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
  return { refused: null, refusedState: null, placed: null, fills: [], ended: [], reduced: [], entries: {} }
}
