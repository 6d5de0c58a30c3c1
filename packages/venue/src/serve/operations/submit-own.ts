import type { Command, Hex } from '@augury/engine/command'
import type { Result } from '../../record/log/applied-row.ts'
import type { Context } from './context.ts'

/**
 * Submits a command of an account's own. When the account has nothing and the command would be refused, it is refused here, as of the last
 * row, without being written: accounts cost nothing, and the journal is kept for ever.
 */
export function submitOwn({ exchange, venue, underWay }: Context, account: Hex, command: Command): Promise<Result> {
  const refused = exchange.hasNothing(account) ? exchange.refusalOfNothing(command) : null
  if (refused) return Promise.resolve({ seq: exchange.seq, at: exchange.at, events: [refused] })
  const result = venue.submit(command)
  return command.type === 'place' || command.type === 'replace' ? underWay.track(account, result) : result
}
