import { Accounts } from './accounts.ts'
import type { VenueMode } from './command.ts'
import { Conditions } from './conditions.ts'
import { Digest } from './digest.ts'
import { DueHeap } from './due-heap.ts'
import { Holdings } from './holdings.ts'
import { Ledger } from './ledger.ts'
import { NegRiskEvents } from './neg-risk-events.ts'
import { OrderStore } from './order-store.ts'
import { RequestLog } from './request-log.ts'
import { TouchedLevels } from './touched-levels.ts'
import { Withdrawals } from './withdrawals.ts'

/** Venue modes by the number the `mode` register holds. */
export const VENUE_MODES: readonly VenueMode[] = ['normal', 'post_only', 'cancel_only', 'paused']

/** How long an ended order stays addressable, in engine milliseconds. */
export const RECENT_MS = 600_000
/** How long the id of a signed request is remembered, in engine milliseconds. */
const REQUEST_MS = 120_000
/** How long the reference of a deposit or withdrawal is remembered, in engine milliseconds; older ones are in the read model. */
const REF_MS = 600_000

/**
 * The newest rules this code knows: what a new exchange begins with, and the last that `upgrade` accepts. Code for rules n also
 * applies n − 1, so that a journal is always read as it was written.
 * 3: in a sweep a fired switch and a closed book count like an order, and of two switches due at once the one armed first fires first;
 * rules 2 did not count switches and books without orders, and fired switches in the order in which the accounts were opened.
 */
export const NEWEST_RULES = 3
const OLDEST_RULES = 2

/** The whole state of the exchange. */
export class State {
  readonly orders = new OrderStore()
  readonly accounts = new Accounts()
  readonly holdings = new Holdings()
  readonly conditions = new Conditions()
  readonly events = new NegRiskEvents()
  readonly requests = new RequestLog(REQUEST_MS)
  readonly refs = new RequestLog(REF_MS)
  readonly withdrawals = new Withdrawals()
  readonly expiries = new DueHeap(this.orders)
  readonly deadlines = new DueHeap(this.accounts)
  readonly digest = new Digest()
  readonly ledger = new Ledger(this.accounts, this.holdings, this.conditions, this.events, this.digest)
  /** Position of the last command, engine milliseconds of its row, the rules in force and those of the next row. */
  seq = 0
  at = 0
  rules = NEWEST_RULES
  nextRules = NEWEST_RULES
  mode = 0
  /** Millionths that came in and did not go out again. */
  supply = 0
  readonly touched = new TouchedLevels()

  /** Begins a row that was written at `at` by a writer with `rules` in force, which are those an empty exchange begins with. */
  beginRow(at: number, rules: number): void {
    if (at < this.at) throw new RangeError(`engine time went back from ${this.at} to ${at}`)
    if (rules < OLDEST_RULES || rules > NEWEST_RULES) throw new RangeError(`rules ${rules} are not known here`)
    this.at = at
    this.rules = this.nextRules = this.seq === 0 ? rules : this.nextRules
  }

  /** Begins a command. Drops at most four orders that ended long ago, so that no single command pays for many. */
  begin(): void {
    const { orders } = this
    this.seq++
    this.ledger.begin()
    this.digest.add(this.at, this.seq)
    for (let i = 0; i < 4 && orders.firstEnded !== 0 && !this.isRemembered(orders.firstEnded); i++) orders.drop(orders.firstEnded)
  }

  /** Whether an order is live or ended less than ten minutes ago. */
  isRemembered(slot: number): boolean {
    return this.orders.isOpen(slot) || this.orders.endedAt(slot) + RECENT_MS > this.at
  }

  /** The remembered order with the id at `words[at]`, or 0. */
  findOrder(words: Uint32Array, at: number): number {
    const slot = this.orders.ids.find(words, at)
    return slot !== 0 && this.isRemembered(slot) ? slot : 0
  }
}
