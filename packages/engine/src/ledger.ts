import { ONE } from '@augury/units/price'
import type { Accounts } from './accounts.ts'
import { doubled } from './columns.ts'
import { type Conditions, RESOLVED } from './conditions.ts'
import type { Digest } from './digest.ts'
import type { EntryReason } from './event.ts'
import type { Holdings } from './holdings.ts'
import { InvariantError } from './invariant-error.ts'
import type { NegRiskEvents } from './neg-risk-events.ts'

/** The asset number of USDC; a token's is `condition * 2 + outcome`. */
export const USDC = 0

/**
 * The only writer of money and shares. It nets the movements of the current command per account, asset and reason, and throws
 * InvariantError at the end of a command whose movements do not sum to zero.
 */
export class Ledger {
  /** Net changes of the current command, in the order of first movement. */
  count = 0
  account = new Int32Array(64)
  asset = new Float64Array(64)
  delta = new Float64Array(64)
  balance = new Float64Array(64)
  readonly reason: EntryReason[] = []
  /** The account's previous net change of this command plus one, and per account its newest with the command it was of. */
  #chain = new Int32Array(64)
  #newest = new Int32Array(64)
  #newestOf = new Float64Array(64)
  #command = 0
  /** Cash and tokens that appeared minus what their counterparts account for; zero at the end of every command. */
  #cashDrift = 0
  #tokenDrift = 0
  /** Conditions whose tokens or cover the command changed. */
  #issued = new Int32Array(64)
  #issuedCount = 0
  readonly #accounts: Accounts
  readonly #holdings: Holdings
  readonly #conditions: Conditions
  readonly #events: NegRiskEvents
  readonly #digest: Digest

  constructor(accounts: Accounts, holdings: Holdings, conditions: Conditions, events: NegRiskEvents, digest: Digest) {
    this.#accounts = accounts
    this.#holdings = holdings
    this.#conditions = conditions
    this.#events = events
    this.#digest = digest
  }

  /** Begins a command. */
  begin(): void {
    this.count = 0
    this.#command++
  }

  /** Ends a command: what went in must have come out, and every token must be covered. */
  end(): void {
    if (this.#cashDrift !== 0 || this.#tokenDrift !== 0) {
      throw new InvariantError(`not conserved: ${this.#cashDrift} millionths, ${this.#tokenDrift} lots too many`)
    }
    for (let i = 0; i < this.#issuedCount; i++) this.#checkCover(this.#issued[i]!)
    this.#issuedCount = 0
  }

  /** Unresolved: Yes = No + converted, and one USDC is locked per No. Resolved: exactly what all tokens will be paid. */
  #checkCover(condition: number): void {
    const { mode, supply, locked, weight, event } = this.#conditions
    const yes = supply[condition * 2]!
    const no = supply[condition * 2 + 1]!
    const isResolved = mode[condition] === RESOLVED
    const owed = isResolved ? yes * weight[condition]! + no * (ONE - weight[condition]!) : no * ONE
    const isPaired = isResolved || yes === no + this.#events.converted[event[condition]!]!
    if (owed !== locked[condition] || !isPaired) {
      throw new InvariantError(`condition ${condition}: ${yes} Yes and ${no} No lots on ${locked[condition]} millionths`)
    }
  }

  /** Changes free cash. */
  cash(account: number, delta: number, reason: EntryReason): void {
    const { cash } = this.#accounts
    cash[account]! += delta
    this.#cashDrift += delta
    this.#settle(account, USDC, delta, reason)
  }

  /** Moves free cash into what orders hold, or back when negative. */
  hold(account: number, amount: number): void {
    const { cash, held } = this.#accounts
    cash[account]! -= amount
    held[account]! += amount
    if (cash[account]! < 0 || held[account]! < 0) throw new InvariantError(`hold of ${amount} leaves account ${account} below zero`)
    this.#digest.add(account, held[account]!)
  }

  /** Pays from what an order holds. */
  payHeld(account: number, amount: number, reason: EntryReason): void {
    this.#accounts.held[account]! -= amount
    this.#cashDrift -= amount
    this.#settle(account, USDC, -amount, reason)
  }

  #settle(account: number, asset: number, delta: number, reason: EntryReason): void {
    const free = this.#accounts.cash[account]!
    const held = this.#accounts.held[account]!
    if (free < 0 || held < 0) throw new InvariantError(`${reason} of ${delta} leaves account ${account} below zero`)
    this.#digest.add(account, free)
    this.#post(account, asset, delta, free + held, reason)
  }

  /** Changes free tokens. */
  tokens(account: number, condition: number, outcome: number, delta: number, reason: EntryReason): void {
    const holdings = this.#holdings
    const row = holdings.open(account, condition, this.#accounts.firstHolding, this.#conditions.firstHolder)
    const at = row * 2 + outcome
    holdings.lots[at]! += delta
    this.#moved(at, account, condition, outcome, delta, reason)
  }

  /** Moves free tokens into what orders hold, or back when negative. */
  holdTokens(account: number, condition: number, outcome: number, lots: number): void {
    const { lots: free, held } = this.#holdings
    const at = this.#holdings.find(account, condition) * 2 + outcome
    free[at]! -= lots
    held[at]! += lots
    if (free[at]! < 0 || held[at]! < 0) throw new InvariantError(`hold of ${lots} lots leaves account ${account} below zero`)
    this.#digest.add(at, held[at]!)
  }

  /** Delivers tokens an order holds. */
  deliverHeld(account: number, condition: number, outcome: number, lots: number, reason: EntryReason): void {
    const at = this.#holdings.find(account, condition) * 2 + outcome
    this.#holdings.held[at]! -= lots
    this.#moved(at, account, condition, outcome, -lots, reason)
  }

  #moved(at: number, account: number, condition: number, outcome: number, delta: number, reason: EntryReason): void {
    const free = this.#holdings.lots[at]!
    const held = this.#holdings.held[at]!
    if (free < 0 || held < 0) throw new InvariantError(`${reason} of ${delta} lots leaves account ${account} below zero`)
    this.#tokenDrift += delta
    this.#digest.add(at, free)
    this.#post(account, condition * 2 + outcome, delta, free + held, reason)
  }

  /** Brings tokens into circulation, or takes them out when negative. */
  issue(condition: number, outcome: number, lots: number): void {
    const { supply } = this.#conditions
    const at = condition * 2 + outcome
    supply[at]! += lots
    this.#tokenDrift -= lots
    this.#changed(condition)
    if (supply[at]! < 0) throw new InvariantError(`condition ${condition} has a negative supply of tokens`)
  }

  /** Marks a condition for the check at the end of the command. */
  #changed(condition: number): void {
    if (this.#issuedCount > 0 && this.#issued[this.#issuedCount - 1] === condition) return
    if (this.#issuedCount === this.#issued.length) this.#issued = doubled(this.#issued)
    this.#issued[this.#issuedCount++] = condition
  }

  /** Puts money behind a condition's tokens, or takes it out when negative. */
  lock(condition: number, amount: number): void {
    const { locked } = this.#conditions
    locked[condition]! += amount
    this.#cashDrift += amount
    this.#changed(condition)
    if (locked[condition]! < 0) throw new InvariantError(`condition ${condition} has a negative amount locked`)
    this.#digest.add(condition, locked[condition]!)
  }

  /** Puts money behind an event's converted tokens, or takes it out when negative. */
  lockEvent(event: number, amount: number): void {
    const { cash } = this.#events
    cash[event]! += amount
    this.#cashDrift += amount
    if (cash[event]! < 0) throw new InvariantError(`event ${event} has negative cash`)
    this.#digest.add(event, cash[event]!)
  }

  /** Adds to an account's pending withdrawals, or takes from them when negative. */
  withdrawing(account: number, amount: number): void {
    this.#accounts.withdrawing[account]! += amount
    this.#cashDrift += amount
    this.#digest.add(account, this.#accounts.withdrawing[account]!)
  }

  /** Money that came from outside, or went there when negative. */
  external(amount: number): void {
    this.#cashDrift -= amount
  }

  /** Records an entry without a movement: that a withdrawal is settled. */
  note(account: number, reason: EntryReason): void {
    this.#post(account, USDC, 0, this.#accounts.cash[account]! + this.#accounts.held[account]!, reason)
  }

  #post(account: number, asset: number, delta: number, balance: number, reason: EntryReason): void {
    if (account >= this.#newest.length) this.#growAccounts(account)
    let before = 0
    if (this.#newestOf[account] === this.#command) {
      before = this.#newest[account]!
      for (let entry = before; entry !== 0; entry = this.#chain[entry - 1]!) {
        if (this.asset[entry - 1] !== asset || this.reason[entry - 1] !== reason) continue
        this.delta[entry - 1]! += delta
        this.balance[entry - 1] = balance
        return
      }
    }
    if (this.count === this.account.length) this.#growEntries()
    const entry = this.count++
    this.account[entry] = account
    this.asset[entry] = asset
    this.delta[entry] = delta
    this.balance[entry] = balance
    this.reason[entry] = reason
    this.#chain[entry] = before
    this.#newest[account] = entry + 1
    this.#newestOf[account] = this.#command
  }

  #growAccounts(account: number): void {
    const length = Math.max(account + 1, this.#newest.length * 2)
    this.#newest = resized(this.#newest, new Int32Array(length))
    this.#newestOf = resized(this.#newestOf, new Float64Array(length))
  }

  #growEntries(): void {
    this.account = doubled(this.account)
    this.asset = doubled(this.asset)
    this.delta = doubled(this.delta)
    this.balance = doubled(this.balance)
    this.#chain = doubled(this.#chain)
  }
}

function resized<T extends Int32Array | Float64Array>(from: T, to: T): T {
  to.set(from)
  return to
}
