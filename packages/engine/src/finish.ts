import { ONE } from '@augury/units/price'
import { InvariantError } from './invariant-error.ts'
import type { Listener } from './listener.ts'
import type { State } from './state.ts'

/** Ends a command: tells the net changes and the levels it left behind, and checks what must hold after every one. */
export function finish(state: State, listener: Listener): void {
  const { ledger, touched } = state
  for (let entry = 0; entry < ledger.count; entry++) {
    const delta = ledger.delta[entry]!
    const reason = ledger.reason[entry]!
    if (delta !== 0 || reason === 'withdraw_settled') {
      listener.entry(ledger.account[entry]!, ledger.asset[entry]!, delta, ledger.balance[entry]!, reason)
    }
  }
  if (touched.length > 0) tellLevels(state, listener)
  ledger.end()
}

function tellLevels({ touched, conditions }: State, listener: Listener): void {
  if (touched.length > 1) touched.sort((a, b) => a - b)
  let last = -1
  for (const level of touched) {
    if (level === last) continue
    last = level
    const isBid = level % 2 === 0
    const at = Math.floor(level / 2)
    const condition = Math.floor(at / ONE)
    const bookPrice = at % ONE
    const ladder = conditions.ladders[condition]
    if (ladder !== undefined && ladder.bestBid >= ladder.bestAsk) throw new InvariantError(`the book of condition ${condition} is crossed`)
    listener.level(condition, isBid, bookPrice, ladder?.lotsOf(bookPrice / ladder.grid, isBid) ?? 0)
  }
  touched.length = 0
}
