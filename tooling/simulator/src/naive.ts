import type { Command, CommandOf, Hex } from '@augury/engine/command'
import type { Refusal } from '@augury/engine/event'
import { register, setCondition, sweep } from './naive-conditions.ts'
import { cancellable, place, replace } from './naive-place.ts'
import { convert, redeem, redeemAll, resolve, splitOrMerge } from './naive-positions.ts'
import { emptyResult, NaiveState, type Result } from './naive-state.ts'

const MAX_SUPPLY = 4_000_000_000_000_000
const RECENT_MS = 600_000

/**
 * The reference exchange: the rules implemented a second time, slowly and from their text alone. It shares nothing with the engine but the
 * shape of commands and the names of refusals and reasons.
 */
export class NaiveExchange extends NaiveState {
  /**
   * Applies one command of a row at `at` and returns the result. `paid`: the holders that the exchange paid first, where the rules leave
   * the order open.
   */
  apply(at: number, command: Command, paid: Hex[] = []): Result {
    this.at = at
    this.seq++
    this.result = emptyResult()
    for (const [id, order] of this.orders) if (order.endedAt !== null && at - order.endedAt >= RECENT_MS) this.orders.delete(id)
    for (const [ref, since] of this.refs) if (at - since >= RECENT_MS) this.refs.delete(ref)
    const refusal = this.perform(command, paid)
    if (refusal) this.refuse(refusal, this.result.refusedState)
    return this.result
  }

  private perform(command: Command, paid: Hex[]): Refusal | null {
    switch (command.type) {
      case 'place':
        return place(this, command)
      case 'replace':
        return replace(this, command)
      case 'cancel':
      case 'cancel_in_batch':
        return this.cancelOne(command)
      case 'cancel_all':
        return this.cancelAll(command)
      case 'reduce':
        return this.reduce(command)
      case 'deposit':
        return this.deposit(command)
      case 'withdraw':
        return this.withdraw(command)
      case 'end_withdrawal':
        return this.endWithdrawal(command)
      case 'split':
      case 'merge':
        return splitOrMerge(this, command)
      case 'convert':
        return convert(this, command)
      case 'redeem':
        return redeem(this, command)
      case 'redeem_all':
        return redeemAll(this, command, paid)
      case 'register':
        return register(this, command)
      case 'set_condition':
        return setCondition(this, command)
      case 'resolve':
        return resolve(this, command)
      case 'sweep':
        return sweep(this, command)
      default:
        return this.administer(command)
    }
  }

  private administer(command: CommandOf<'set_mode' | 'set_account' | 'dead_man' | 'upgrade'>): Refusal | null {
    if (command.type === 'set_mode') this.mode = command.mode
    else if (command.type === 'upgrade') return command.rules === 3 ? null : 'invalid_amount'
    else if (command.type === 'set_account') return this.setAccount(command)
    else
      this.account(command.account).deadMan =
        command.deadline === 0 ? null : { deadline: command.deadline, reason: command.reason, armed: this.seq }
    return null
  }

  private cancelOne({ account, orderId }: CommandOf<'cancel' | 'cancel_in_batch'>): Refusal | null {
    const order = cancellable(this, account, orderId)
    if (typeof order === 'string') return order
    this.cancel(order, 'user')
    return null
  }

  private cancelAll({ account, condition, outcome, reason }: CommandOf<'cancel_all'>): Refusal | null {
    if (condition !== null && !this.conditions.has(condition)) return 'unknown_token'
    for (const order of this.open(account)) {
      if (condition !== null && order.place.condition !== condition) continue
      if (outcome !== null && order.place.outcome !== outcome) continue
      this.cancel(order, reason)
    }
    return null
  }

  private reduce({ account, orderId, lots }: CommandOf<'reduce'>): Refusal | null {
    const order = cancellable(this, account, orderId)
    if (typeof order === 'string') return order
    const condition = this.conditions.get(order.place.condition)!
    if (lots >= order.lots) return 'not_smaller'
    if (lots < condition.minLots || lots <= order.matched) return 'size_too_small'
    order.lots = lots
    order.remaining = lots - order.matched
    this.result.reduced.push(`${orderId} ${order.lots} ${order.remaining} amend`)
    return null
  }

  private deposit({ account, amount, ref }: CommandOf<'deposit'>): Refusal | null {
    if (amount < 1) return 'invalid_amount'
    if (this.refs.has(ref) || this.withdrawals.has(ref)) return 'duplicate_ref'
    if (this.supply + amount > MAX_SUPPLY) return 'supply_exceeded'
    this.refs.set(ref, this.at)
    this.supply += amount
    this.pay(account, amount, 'deposit')
    return null
  }

  private withdraw({ account, amount, ref }: CommandOf<'withdraw'>): Refusal | null {
    if (amount < 1) return 'invalid_amount'
    if (this.refs.has(ref) || this.withdrawals.has(ref)) return 'duplicate_ref'
    if (amount > this.freeCash(account)) return 'insufficient_balance'
    this.refs.set(ref, this.at)
    this.pay(account, -amount, 'withdraw')
    this.account(account).withdrawing += amount
    this.withdrawals.set(ref, { account, amount })
    return null
  }

  private endWithdrawal({ ref, outcome }: CommandOf<'end_withdrawal'>): Refusal | null {
    const withdrawal = this.withdrawals.get(ref)
    if (!withdrawal) return 'unknown_ref'
    this.withdrawals.delete(ref)
    this.account(withdrawal.account).withdrawing -= withdrawal.amount
    if (outcome === 'returned') this.pay(withdrawal.account, withdrawal.amount, 'withdraw_returned')
    else this.supply -= withdrawal.amount
    return null
  }

  /** An account's referrer is the first that was set; an account cannot refer itself. */
  private setAccount({ account: id, referrer, tier, stpGroup, banned }: CommandOf<'set_account'>): Refusal | null {
    if (tier !== null && tier > 3) return 'invalid_amount'
    const account = this.account(id)
    if (referrer !== null) this.account(referrer)
    if (referrer !== id) account.referrer ??= referrer
    account.tier = tier ?? account.tier
    account.stpGroup = stpGroup ?? account.stpGroup
    account.banned = banned ?? account.banned
    return null
  }
}
