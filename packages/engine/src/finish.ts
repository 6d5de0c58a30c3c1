import type { Listener } from './listener.ts'
import type { State } from './state.ts'

/** Ends a command: reports net balance changes and changed levels, and checks the invariants that hold after every command. */
export function finish(state: State, listener: Listener): void {
  const { ledger, touched } = state
  for (let entry = 0; entry < ledger.count; entry++) {
    const delta = ledger.delta[entry]!
    const reason = ledger.reason[entry]!
    if (delta !== 0 || reason === 'withdraw_settled') {
      listener.entry(ledger.account[entry]!, ledger.asset[entry]!, delta, ledger.balance[entry]!, reason)
    }
  }
  touched.report(state.conditions, listener)
  ledger.end()
}
