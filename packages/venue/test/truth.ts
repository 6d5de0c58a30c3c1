import { decodeCommands, encodeCommand } from '@augury/engine/codec'
import type { Command } from '@augury/engine/command'
import { connect, connection } from '../src/base/postgres.ts'
import { journalReader } from '../src/record/log/postgres-journal.ts'
import { catchUp } from '../src/record/log/recovery.ts'
import { Replica } from '../src/record/log/replica.ts'
import { told } from './writer-child.ts'

/** What the journal alone says: every command in order, what everybody must have been told, and the state it all leads to. */
export async function truth(url: string): Promise<{ commands: Command[]; lines: Set<string>; digest: string }> {
  const client = await connect(connection(url, 'test'))
  const replica = new Replica('main')
  const commands: Command[] = []
  const lines = new Set<string>()
  await catchUp(journalReader(client, 'main'), replica, {
    after({ outcomes }, row) {
      for (const [index, command] of decodeCommands(row.commands).entries()) {
        commands.push(command)
        lines.add(told(outcomes[index]!.seq, command, outcomes[index]!.events))
      }
    },
  })
  await client.end()
  return { commands, lines, digest: replica.exchange.digest() }
}

/** A command in the one form that is equal for equal commands. */
export const textOf = (command: Command): string => Buffer.from(encodeCommand(command)).toString('hex')
