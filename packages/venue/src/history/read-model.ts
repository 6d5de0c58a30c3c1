import type { Hex, OrderType, Outcome, Side } from '@augury/engine/command'
import type { EntryReason, Event, OrderView } from '@augury/engine/event'
import type { Annex } from '../annex.ts'
import type { AccountChange } from '../streams/account-changes.ts'
import type { Movement, MovementFilter, Standing } from './read-accounts.ts'
import type { AffiliateShareRecord } from './read-affiliate-shares.ts'
import type { FactRecord } from './read-facts.ts'
import type { AssetProofRecord, RootRecord } from './read-state-roots.ts'

/** An order as history knows it: the engine's view and more. */
export interface OrderRecord extends OrderView {
  /** Engine milliseconds at which it ended, or null while it rests. */
  endedAt: number | null
  /** Its size when it was placed; it may have been reduced since. */
  placedLots: number
  /** The annex, decoded. */
  by: Annex
}

/** One maker's part of a trade. */
export interface MakerFill {
  /** Id `seq-n`. */
  id: string
  orderId: Hex
  account: Hex
  outcome: Outcome
  side: Side
  /** Steps of the maker's own token. */
  price: number
  lots: number
  kind: Extract<Event, { type: 'fill' }>['kind']
  by: Annex
}

/** A trade: one taker at one price, in the taker's token with the taker's side. */
export interface TradeRecord {
  /** Id `seq-n`, of its first fill. */
  id: string
  seq: number
  n: number
  /** Engine milliseconds. */
  at: number
  condition: Hex
  outcome: Outcome
  side: Side
  /** Steps of the taker's token. */
  price: number
  lots: number
  /** Millionths the taker paid in fees. */
  fee: number
  feeBps: number
  taker: { orderId: Hex; account: Hex; orderType: OrderType; by: Annex }
  makers: MakerFill[]
}

/** Totals of a condition, in millionths and lots. */
export interface ConditionStats {
  condition: Hex
  volume: number
  volume24h: number
  trades: number
  openInterest: number
  /** Accounts that hold Yes plus accounts that hold No. */
  holders: number
  /** Yes steps of the last trade, or null. */
  lastPrice: number | null
}

/** A net change of an account in one asset; `asset` null is USDC. */
export interface LedgerRecord {
  seq: number
  n: number
  at: number
  account: Hex
  asset: { condition: Hex; outcome: Outcome } | null
  delta: number
  balance: number
  reason: EntryReason
}

/** What an account holds and has traded of one outcome token; costs in millionths without fees. */
export interface PositionRecord {
  account: Hex
  condition: Hex
  outcome: Outcome
  lots: number
  boughtCost: number
  soldLots: number
  soldCost: number
  redeemedLots: number
  /** Millionths paid out for it after resolution. */
  redeemed: number
  /** Lots of a Yes that conversions gave, or of a No that they took (negative), and the cost assigned to them. */
  convertedLots: number
  convertedCost: number
  /** Millionths at which this half of pairs was valued when they were split, and when they were merged. */
  splitCost: number
  mergedLots: number
  mergedCost: number
  /** Cost of the lots held, in millionths: lots come in at their price and go out at the average cost. */
  heldCost: number
  /** Engine milliseconds of the last change. */
  changedAt: number
}

/** A deposit or withdrawal, unique for ever by its `ref`. */
export interface TransferRecord {
  ref: Hex
  kind: 'deposit' | 'withdrawal'
  account: Hex
  amount: number
  state: 'done' | 'pending' | 'settled' | 'returned'
  seq: number
  at: number
}

/** Money that came in, in millionths. */
export interface DepositRecord {
  seq: number
  at: number
  account: Hex
  amount: number
}

/** A page, newest first. `next` continues it, null at the end. Cursors are opaque. */
export interface Page<Row> {
  rows: Row[]
  next: string | null
}

export interface PageRequest {
  /** At most 500. */
  limit: number
  cursor: string | null
}

/** Which trades: an empty filter is all. Times are engine milliseconds, both ends excluded. */
export interface TradeFilter {
  id?: string
  /** Any of these. */
  conditions?: Hex[]
  /** In the trade's own token; in a list of one account's trades, in the token that it traded. */
  outcome?: Outcome
  /** Of the taker, in the requested token. */
  side?: Side
  /** Smallest price × lots in millionths, in that token. */
  minCost?: number
  minLots?: number
  before?: number
  after?: number
}

/** Queries over what the follower wrote. Every answer is a state at or after `projectedSeq()` of the moment of the call. */
export interface ReadModel {
  /** Position up to which history is written. */
  projectedSeq(): number
  /** Waits until history has reached a position, at most 2 s. Throws ServiceError `read_model_lagging`. */
  waitFor(seq: number): Promise<void>
  /** The timeline on which each of these positions was written, in their order; 0 for a position that the log does not hold. */
  timelines(positions: readonly number[]): Promise<number[]>

  /** Orders by id; unknown ids are absent. One query for any number. */
  orders(ids: readonly Hex[]): Promise<Map<Hex, OrderRecord>>
  /** Orders by client order id, keyed `account/id`. One query for any number. */
  ordersByClientId(names: readonly { account: Hex; clientOrderId: string }[]): Promise<Map<string, OrderRecord>>
  /**
   * Orders of an account that ended after an engine time, last ended first: all filled ones, and those whose end reason is not in
   * `besides`. Rejected orders do not count.
   */
  endings(account: Hex, after: number, besides: readonly string[], limit: number): Promise<OrderRecord[]>
  /** Transfers by ref. One query for any number. */
  transfers(refs: readonly Hex[]): Promise<Map<Hex, TransferRecord>>

  /** Sum, in millionths, of an account's deposits after an engine time whose refs begin with these hex digits. */
  deposited(account: Hex, refPrefix: string, after: number): Promise<number>

  /** All trades, newest first. A page of a narrowed list may hold fewer than there are, or none, and is then followed by another. */
  trades(filter: TradeFilter, page: PageRequest): Promise<Page<TradeRecord>>
  /** Trades in which the account was taker or maker, newest first, in such pages. */
  tradesOf(account: Hex, filter: TradeFilter, page: PageRequest): Promise<Page<TradeRecord>>
  /** Ids of the trades of each of these orders, oldest first; orders without trades are absent. */
  tradeIds(orders: readonly Hex[]): Promise<Map<Hex, string[]>>

  /** Engine milliseconds at which each of these orders last changed, its placement included. */
  changedAt(orders: readonly Hex[]): Promise<Map<Hex, number>>

  /** What the next commands after a position did to an account, at most `limit` of them, oldest first. */
  accountChanges(account: Hex, after: number, limit: number): Promise<AccountChange[]>

  /** Deposits after a position, at most `limit`, oldest first. */
  deposits(after: number, limit: number): Promise<DepositRecord[]>

  /** Affiliate shares that orders after a position paid, at most `limit`, oldest first. */
  affiliateShares(after: number, limit: number): Promise<AffiliateShareRecord[]>

  /** Totals per condition; one that never traded has zeros. `now` is engine milliseconds. */
  stats(conditions: readonly Hex[], now: number): Promise<Map<Hex, ConditionStats>>
  /** What backs the tokens of all conditions together. */
  openInterest(): Promise<number>
  /**
   * The displayed price of a token, 0 … 1, at the end of each step in which it changed, and `before` the range. Times are engine
   * milliseconds. Steps are longer than asked for where there would be too many.
   */
  shownPrices(
    condition: Hex,
    outcome: Outcome,
    range: { from: number; to: number; minutes: number },
  ): Promise<{ before: number | null; points: { until: number; price: number }[] }>

  /** Ledger entries of an account, newest first. */
  ledger(account: Hex, page: PageRequest): Promise<Page<LedgerRecord>>
  /** Positions of an account, past ones too, largest first. */
  positions(account: Hex, conditions?: readonly Hex[]): Promise<PositionRecord[]>
  /** Trades and other changes of an account's cash and tokens, newest first unless told otherwise. */
  movements(account: Hex, filter: MovementFilter, page: { limit: number; offset: number; oldestFirst?: boolean }): Promise<Movement[]>
  /** In how many conditions an account traded. */
  traded(account: Hex): Promise<number>
  /** Volume in millionths and number of trades of these accounts; accounts that never traded are absent. */
  totalsOf(accounts: readonly Hex[]): Promise<Map<Hex, { volume: number; trades: number }>>
  /** The first `limit` accounts by volume, or by gain from trades, since an engine time; `prices` of Yes in half steps. */
  standings(prices: ReadonlyMap<Hex, number>, since: number | null, by: 'volume' | 'gain', limit: number): Promise<Standing[]>
  /** Largest holders of an outcome token. */
  holders(condition: Hex, outcome: Outcome, limit: number, offset?: number): Promise<PositionRecord[]>

  /** Signed roots before one, newest first. */
  stateRoots(before: number | null, limit: number): Promise<RootRecord[]>
  /** Keys that signed roots, newest first, with the first and the last root of each. */
  proofKeys(): Promise<{ key: string; first: number; last: number }[]>
  /** Proof of what an account had at a root; null when the root's tree is no longer kept. */
  balanceProof(account: Hex, root: Pick<RootRecord, 'n' | 'assets'>): Promise<{ salt: string; assets: AssetProofRecord[] } | null>
  /**
   * Public facts of whole commands after a position, oldest first; `last` is null when there are no more. Null where state roots are off.
   */
  facts(after: number, limit: number): Promise<{ facts: FactRecord[]; last: number | null } | null>
}
