import type { Command, Hex } from '@augury/engine/command'
import type { Context } from '../context.ts'
import type { Result } from '../venue.ts'

/**
 * Submits what an account asks for itself. What is refused to an account that has nothing is not written down, and answered as of the last
 * row: accounts cost nothing, and the journal is kept for ever. Only money from elsewhere could change the answer, and there was none yet.
 */
export async function submitOwn({ exchange, venue }: Context, account: Hex, command: Command): Promise<Result> {
  const refused = exchange.hasNothing(account) ? exchange.refusalOfNothing(command) : null
  return refused ? { seq: exchange.seq, at: exchange.at, events: [refused] } : venue.submit(command)
}
