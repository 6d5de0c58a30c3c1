import type { Command, Hex } from '@augury/engine/command'
import type { Context } from '../context.ts'
import type { Result } from '../venue.ts'

/**
 * Submits a command of an account's own. When the account has nothing and the command would be refused, it is refused here, as of the last
 * row, without being written: accounts cost nothing, and the journal is kept for ever.
 */
export async function submitOwn({ exchange, venue }: Context, account: Hex, command: Command): Promise<Result> {
  const refused = exchange.hasNothing(account) ? exchange.refusalOfNothing(command) : null
  return refused ? { seq: exchange.seq, at: exchange.at, events: [refused] } : venue.submit(command)
}
