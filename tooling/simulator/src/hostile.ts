import type { Command, Place } from '@augury/engine/command'
import { CHANGEABLE, changedPlace } from './changed-place.ts'
import type { Workload } from './workload.ts'

/** Corrupts a command as a faulty or hostile client would: another account's id, off-grid prices, zero or huge amounts. */
export function hostile(work: Workload, command: Command): Command {
  const { random } = work
  switch (command.type) {
    case 'place':
      return spoilPlace(work, command)
    case 'replace':
      return random.pick<Command>([
        { ...command, place: spoilPlace(work, command.place) },
        { ...command, place: { ...command.place, orderId: command.cancel } },
        { ...command, cancel: work.id(64) },
      ])
    case 'cancel':
    case 'cancel_in_batch':
      return random.chance(0.5) ? { ...command, account: work.account() } : { ...command, orderId: work.id(64) }
    case 'reduce':
      return random.pick([
        { ...command, account: work.account() },
        { ...command, lots: 0 },
        { ...command, lots: random.pick([command.lots * 1000, Number.MAX_SAFE_INTEGER]) },
      ])
    case 'deposit':
    case 'withdraw': {
      const pending = work.withdrawals.length > 0 ? random.pick(work.withdrawals) : command.ref
      return random.chance(0.5)
        ? { ...command, amount: random.pick([0, 1, 4_000_000_000_000_000, Number.MAX_SAFE_INTEGER]) }
        : { ...command, ref: pending }
    }
    case 'end_withdrawal':
      return { ...command, ref: work.id(64) }
    case 'split':
    case 'merge':
      return random.pick([
        { ...command, lots: 0 },
        { ...command, lots: 400_000_000_000 },
        { ...command, lots: random.pick([400_000_000_001, Number.MAX_SAFE_INTEGER]) },
        { ...command, condition: work.id(64) },
      ])
    case 'convert':
      return random.pick([
        { ...command, conditions: [...command.conditions, command.conditions[0]!] },
        { ...command, conditions: [work.condition().id] },
        { ...command, event: work.id(64) },
        { ...command, lots: random.pick([0, 400_000_000_000, Number.MAX_SAFE_INTEGER]) },
      ])
    case 'redeem':
      return random.chance(0.5) ? { ...command, condition: work.id(64) } : { ...command, account: work.id(40) }
    case 'redeem_all':
      return { ...command, limit: 0 }
    case 'cancel_all':
      return random.chance(0.5) ? { ...command, condition: work.id(64) } : { ...command, account: work.id(40) }
    case 'dead_man':
      return { ...command, deadline: random.pick([1, 2 ** 52]) }
    case 'register':
      return random.pick<Command>([
        { ...command, condition: work.condition().id },
        { ...command, grid: 3 },
        { ...command, feeBps: 10_001 },
        { ...command, rebateBps: 5000, affiliateBps: 5001 },
        { ...command, event: { id: command.event?.id ?? work.id(64), size: 0 } },
      ])
    case 'resolve':
      return { ...command, weight: random.pick([10_001, 1, 5000]) }
    case 'set_account':
      return { ...command, referrer: command.account, stpGroup: LAST_WORD }
    case 'set_condition':
      return { ...command, grid: random.pick([1000, 3, 100, 10]) }
    default:
      return command
  }
}

/** The largest number of 32 bits. */
const LAST_WORD = 0xffff_ffff

function spoilPlace(work: Workload, place: Place): Place {
  const { random } = work
  const known = work.known(false)
  if (known && random.chance(0.3)) return changedPlace(known, random.pick(CHANGEABLE))
  return random.pick<Place>([
    { ...place, price: Math.max(0, place.price + random.integer(-3, 3)) },
    { ...place, price: random.pick([0, 1, 9_999, 10_000, LAST_WORD]) },
    { ...place, lots: place.lots > 0 ? random.pick([1, 4_000_000_000, 4_000_000_001, Number.MAX_SAFE_INTEGER]) : 0 },
    { ...place, budget: place.budget > 0 ? random.pick([1, 999, 4_000_000_000_000_000, Number.MAX_SAFE_INTEGER]) : 0 },
    { ...place, lots: 1, budget: 10_000 },
    { ...place, orderType: random.pick(['GTC', 'GTD', 'FOK', 'FAK'] as const) },
    { ...place, postOnly: !place.postOnly },
    { ...place, expiration: random.pick([0, 1, place.expiration + 1, LAST_WORD, LAST_WORD + 1, Number.MAX_SAFE_INTEGER]) },
    { ...place, condition: work.id(64) },
    { ...place, orderId: work.known(false)?.orderId ?? place.orderId },
    { ...place, side: place.side === 'BUY' ? 'SELL' : 'BUY' },
  ])
}
