import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { decodeCommands } from '@augury/engine/codec'
import type { JournalRow } from './journal.ts'

/** Writes the last rows into a file in the data folder, for the investigation of a bug. Returns the file's name, or why there is none. */
export function dumpFault(dataDir: string, error: Error, rows: readonly JournalRow[]): string {
  const file = join(dataDir, `fault-${new Date().toISOString().replaceAll(':', '-')}.json`)
  const decoded = rows.map(({ commands, ...row }) => ({ ...row, commands: decodeCommands(commands) }))
  const text = JSON.stringify({ error: error.stack, rows: decoded }, (_, value) =>
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
