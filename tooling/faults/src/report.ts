import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { circumstances, headCommit } from '@augury/bench/circumstances'
import type { Fault, Seen } from './faults.ts'

const root = resolve(import.meta.dirname, '../../..')

/** A fault, its observations, and how long it took. */
export interface Reported {
  fault: Fault
  seen: Seen
  seconds: number
}

/** All observations, as Markdown. */
export function render(reported: readonly Reported[], commit: string): string {
  const rows = reported.map(({ fault, seen, seconds }) => {
    const { facts, wrong, lost, recovery } = seen
    const verdict =
      wrong.length === 0
        ? facts
        : `${facts}. **WRONG**: ${wrong
            .slice(0, 5)
            .map((sentence) => sentence.split('\n')[0])
            .join('; ')}`
    const times = recovery ? `${recovery.median} (${recovery.longest})` : '–'
    return [fault.name, fault.must, verdict, lost ? `${lost.orders} of ${lost.of}` : '–', times, seconds.toFixed(0)]
  })
  return [
    '# Faults',
    '',
    `${circumstances(commit)}. Real programs over a PostgreSQL that syncs every commit, under load; clients keep a ledger of their own. RPO is acknowledged orders that were lost; RTO the milliseconds from when the fault was over, or the program was started again, to the first new acknowledgement, median and longest.`,
    '',
    ...[['What happens', 'What must hold', 'Seen', 'RPO', 'RTO ms', 'Took s'], Array.from({ length: 6 }, () => '---'), ...rows].map(
      (cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`,
    ),
    '',
  ].join('\n')
}

/** Writes bench/faults.md. */
export function writeReport(reported: readonly Reported[]): void {
  mkdirSync(join(root, 'bench'), { recursive: true })
  writeFileSync(join(root, 'bench', 'faults.md'), render(reported, headCommit()))
}
