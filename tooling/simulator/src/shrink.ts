import type { Command } from '@augury/engine/command'
import { type Failure, type Row, Session } from './session.ts'

/** Applies a script from the beginning, one command per row, with a full check after each. */
export function replay(script: Row[]): Failure | null {
  const session = new Session(true)
  for (const row of script) {
    const failure = session.apply(row, true)
    if (failure) return failure
  }
  return null
}

/** The kind of a failure: while shrinking, other kinds do not count. */
const kindOf = ({ what }: Failure): string => what.split('\n')[0]!.replace(/0x[0-9a-f]+|\d+/g, '#')

/** Removes what the failure does not need: first large pieces, then single commands. Null when it cannot be reproduced. */
export function shrink(rows: Row[]): { script: Row[]; failure: Failure } | null {
  const flat = rows.flatMap(({ at, commands }) => commands.map((command): Row => ({ at, commands: [command] })))
  const failure = replay(flat)
  if (!failure) return null
  const kind = kindOf(failure)
  let script = flat.slice(0, failure.seq)
  let last = failure
  const still = (candidate: Row[]): boolean => {
    const found = replay(candidate)
    if (!found || kindOf(found) !== kind) return false
    last = found
    return true
  }
  for (let piece = script.length >> 1; piece >= 1; ) {
    let removed = false
    for (let start = script.length - piece; start >= 0; start -= piece) {
      const candidate = [...script.slice(0, start), ...script.slice(start + piece)]
      if (candidate.length < script.length && still(candidate)) {
        script = candidate
        removed = true
      }
    }
    if (piece > 1) piece >>= 1
    else if (!removed) break
  }
  return { script, failure: last }
}

/** A script as lines of JSON, `at` first. Ids are written in full; annexes are left out. */
export function printScript(script: Row[]): string {
  const lines = script.flatMap(({ at, commands }) => commands.map((command) => JSON.stringify({ at, command }, withoutAnnex)))
  return lines.join('\n')
}

const withoutAnnex = (key: string, value: unknown): unknown => (key === 'annex' ? undefined : value)

/** Parses the output of `printScript`. */
export function readScript(text: string): Row[] {
  const lines = text.split('\n').filter((line) => line.startsWith('{'))
  return lines.map((line) => {
    const { at, command } = JSON.parse(line) as { at: number; command: Command }
    if (command.type === 'place') command.annex = new Uint8Array(0)
    if (command.type === 'replace') command.place.annex = new Uint8Array(0)
    return { at, commands: [command] }
  })
}
