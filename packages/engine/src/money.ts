import { MAX_SUPPLY } from '@augury/units/usdc'
import type { CommandOf } from './command.ts'
import { type Decision, keyWords, lacking, rowOf } from './decision.ts'
import type { State } from './state.ts'

/** Credits a deposit. Its reference takes effect once. */
export function deposit(state: State, { account, amount, ref }: CommandOf<'deposit'>): Decision {
  const { accounts, ledger, refs } = state
  const refWords = keyWords(ref)
  const owner = keyWords(account)
  if (amount < 1) return 'invalid_amount'
  if (isKnown(state, refWords)) return 'duplicate_ref'
  if (state.supply + amount > MAX_SUPPLY) return 'supply_exceeded'
  return () => {
    refs.add(refWords, 0, state.at)
    state.supply += amount
    ledger.external(amount)
    ledger.cash(accounts.open(owner, 0), amount, 'deposit')
  }
}

/** Moves money from the free balance into a pending withdrawal. */
export function withdraw(state: State, { account, amount, ref }: CommandOf<'withdraw'>): Decision {
  const { accounts, ledger, refs, withdrawals } = state
  const refWords = keyWords(ref)
  const owner = rowOf(accounts.ids, account)
  if (amount < 1) return 'invalid_amount'
  if (isKnown(state, refWords)) return 'duplicate_ref'
  if (accounts.cash[owner]! < amount) return lacking('insufficient_balance', accounts.cash[owner]!, accounts.held[owner]!, amount)
  return () => {
    refs.add(refWords, 0, state.at)
    withdrawals.insert(refWords, 0, owner, amount)
    ledger.cash(owner, -amount, 'withdraw')
    ledger.withdrawing(owner, amount)
  }
}

/** Ends a pending withdrawal: settled (paid out) or returned to the free balance. */
export function endWithdrawal(state: State, { ref, outcome }: CommandOf<'end_withdrawal'>): Decision {
  const { ledger, withdrawals } = state
  const row = rowOf(withdrawals.ids, ref)
  if (row === 0) return 'unknown_ref'
  const account = withdrawals.account[row]!
  const amount = withdrawals.amount[row]!
  return () => {
    withdrawals.drop(row)
    ledger.withdrawing(account, -amount)
    if (outcome === 'returned') return ledger.cash(account, amount, 'withdraw_returned')
    state.supply -= amount
    ledger.external(-amount)
    ledger.note(account, 'withdraw_settled')
  }
}

/** Whether a reference was used within the last minutes or by a withdrawal still under way. */
const isKnown = ({ refs, withdrawals, at }: State, ref: Uint32Array): boolean => refs.has(ref, 0, at) || withdrawals.ids.find(ref, 0) !== 0
