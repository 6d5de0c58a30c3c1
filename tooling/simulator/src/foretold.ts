import { isDeepStrictEqual } from 'node:util'
import type { Command, Hex } from '@augury/engine/command'
import type { Event, Refused } from '@augury/engine/event'
import type { Exchange } from '@augury/engine/exchange'
import { InvariantBroken } from './invariants.ts'

/** Returns the account whose own command this is, or null. */
function ownerOf(command: Command): Hex | null {
  switch (command.type) {
    case 'place':
    case 'reduce':
    case 'split':
    case 'merge':
    case 'convert':
    case 'redeem':
    case 'cancel':
    case 'cancel_in_batch':
      return command.account
    case 'replace':
      return command.place.account
    default:
      return null
  }
}

/**
 * What the first command of a row would be refused with without being written, as the venue does for accounts that have nothing; null where it
 * would be written. Only for a row of the same time as the one before it: what is refused may depend on that.
 */
export function foretell(exchange: Exchange, { at, commands: [first] }: { at: number; commands: Command[] }): Refused | null {
  const owner = first && at === exchange.at ? ownerOf(first) : null
  if (!first || owner === null || !exchange.hasNothing(owner)) return null
  const isCancel = first.type === 'cancel' || first.type === 'cancel_in_batch'
  return isCancel ? exchange.refusalOfCancel(owner, first.orderId) : exchange.refusalOfNothing(first)
}

/**
 * Compares that with what happened to the command: the same, or an order that did nothing and needed nothing, because it was rejected or met
 * orders of its own group only.
 */
export function checkForetold(foretold: Refused, [answer]: Event[]): void {
  const didNothing = answer?.type === 'placed' && answer.order.remaining === answer.order.lots && answer.order.state !== 'live'
  const isShort = foretold.code === 'insufficient_balance' || foretold.code === 'insufficient_shares'
  if (didNothing ? isShort : isDeepStrictEqual(answer, foretold)) return
  throw new InvariantBroken(`what is refused unwritten is refused: ${JSON.stringify({ foretold, answer })}`)
}
