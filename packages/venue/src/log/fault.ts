import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { decodeCommands } from '@augury/engine/codec'
import type { JournalRow } from './journal.ts'

/** Writes what the writer did last into the data folder, for whoever looks for the bug, and returns the file's name, or why there is none. */
export function dumpFault(dataDir: string, error: Error, rows: readonly JournalRow[]): string {
  const file = join(dataDir, `fault-${new Date().toISOString().replaceAll(':', '-')}.json`)
  const told = rows.map(({ commands, ...row }) => ({ ...row, commands: decodeCommands(commands) }))
  const text = JSON.stringify({ error: error.stack, rows: told }, (_, value) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value,
  )
  try {
    mkdirSync(dataDir, { recursive: true })
    writeFileSync(file, text, { mode: 0o600 })
    return file
  } catch (problem) {
    return `nowhere, ${(problem as Error).message}`
  }
}
