import { createHash } from 'node:crypto'
import { encodeCommand } from '@augury/engine/codec'
import type { Command } from '@augury/engine/command'
import type { Event } from '@augury/engine/event'
import { openVenue } from '../src/record/open-venue.ts'
import { randomCommands } from './random-commands.ts'

/** What a caller was told, short enough to compare: position, command, answer. */
export const told = (seq: number, command: Command, events: Event[]): string =>
  `${seq} ${digest(encodeCommand(command))} ${digest(JSON.stringify(events, (_, value) => (value instanceof Uint8Array ? [...value] : value)))}`

const digest = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex').slice(0, 16)

// As a program of its own: trades without end and says what it was told.
const [databaseUrl, dataDir, prefix] = process.argv.slice(2)
if (import.meta.main && databaseUrl !== undefined && dataDir !== undefined && prefix !== undefined) {
  const say = (line: string) => process.stdout.write(`${line}\n`)
  const venue = await openVenue({
    ...{ databaseUrl, dataDir, snapshotEvery: 2000, requireDurability: false },
    ...{ log: { info: say, warn: say, error: say }, onFatal: (error) => say(`fatal ${error.stack}`) },
  })
  say('open')
  for (let part = 0; ; part++) {
    const commands = [...randomCommands(part, 50, prefix === '' && part === 0 ? '' : `${prefix}${part}-`)]
    await Promise.all(
      commands.map(async (command) => {
        const { seq, events } = await venue.submit(command)
        say(`told ${told(seq, command, events)}`)
      }),
    )
  }
}
