import { totalmem } from 'node:os'
import { processors } from '@augury/bench/circumstances'
import { isBorne, type Outcome } from './load.ts'
import { answered, boundOf, fine, whole } from './report.ts'

const [BEGIN, END] = ['<!-- from npm run load -->', '<!-- until here -->']
const HEAD = '| Machine | Asked a second | Seen | What bounds it |\n|---|---|---|---|'

/** The row of the sizing table in docs/operations. */
export function sizingRow({ scale, asked, steady }: Outcome, day: string): string {
  const [exchange, postgres] = ['clob-server', 'postgres'].map((name) => steady.usages.find((usage) => usage.name === name))
  const isAsked = steady.pace.orders === scale.orders
  return [
    `${processors}, ${Math.round(totalmem() / 2 ** 30)} GiB; generator on it too (${day})`,
    `${scale.orders} orders, ${scale.cancels} cancels`,
    `${answered(steady)} for ${fine(steady.seconds / 60)} min; exchange ${exchange?.all.toFixed(2)} processors and ${whole(exchange?.rss ?? Number.NaN)} MiB, PostgreSQL ${postgres?.all.toFixed(2)}`,
    isAsked && isBorne(steady) ? 'not reached: it bore what was asked' : boundOf(isAsked ? steady : asked),
  ].join(' | ')
}

/** Replaces the row of the last long run in a document. Throws when the document has no place for it. */
export function withSizingRow(document: string, row: string): string {
  const [begin, end] = [document.indexOf(BEGIN), document.indexOf(END)]
  if (begin === -1 || end < begin) throw new Error(`no place for a row: ${BEGIN} … ${END}`)
  return `${document.slice(0, begin + BEGIN.length)}\n\n${HEAD}\n| ${row} |\n\n${document.slice(end)}`
}
