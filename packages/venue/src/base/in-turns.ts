import { setImmediate } from 'node:timers/promises'
import type { MaybePromise } from './maybe-promise.ts'

/** Maps rows by `make`, leaving out nulls: `atOnce` rows in a turn of the event loop, so that orders are served in between. */
export async function inTurns<Row, Made>(rows: Iterable<Row>, atOnce: number, make: (row: Row) => Made | null): Promise<Made[]> {
  const made: Made[] = []
  let left = atOnce
  for (const row of rows) {
    if (--left === 0) {
      await setImmediate()
      left = atOnce
    }
    const one = make(row)
    if (one !== null) made.push(one)
  }
  return made
}

/** Rows that are sorted in one turn, beside those of the page. */
const SORTED_AT_ONCE = 2000

/** A page of the sorted rows. They are sorted in turns, too, and only those up to the end of the page are kept. */
export async function sortedInTurns<Row>(
  rows: readonly Row[],
  compare: (one: Row, other: Row) => number,
  { offset, limit }: { offset: number; limit: number },
): Promise<Row[]> {
  let first = rows.slice(0, SORTED_AT_ONCE).sort(compare)
  for (let from = SORTED_AT_ONCE; from < rows.length; from += SORTED_AT_ONCE) {
    await setImmediate()
    first = [...first.slice(0, offset + limit), ...rows.slice(from, from + SORTED_AT_ONCE)].sort(compare)
  }
  return first.slice(offset, offset + limit)
}

/** Rows that become text in one turn. */
const TEXT_AT_ONCE = 200

/** JSON text of an output. Where its rows, which are itself or its `data`, are many, they become text in turns. */
export function textInTurns(output: unknown): MaybePromise<string> {
  const rows = Array.isArray(output) ? output : (output as { data?: unknown } | null)?.data
  if (!Array.isArray(rows) || rows.length <= TEXT_AT_ONCE) return JSON.stringify(output)
  return rows === output ? textOf(rows) : textOfPage(output as object, rows)
}

async function textOfPage(page: object, rows: readonly unknown[]): Promise<string> {
  const others = JSON.stringify({ ...page, data: undefined }).slice(1)
  return `{"data":${await textOf(rows)}${others === '}' ? '' : ','}${others}`
}

async function textOf(rows: readonly unknown[]): Promise<string> {
  const starts = Array.from({ length: Math.ceil(rows.length / TEXT_AT_ONCE) }, (_, nth) => nth * TEXT_AT_ONCE)
  const texts = await inTurns(starts, 1, (from) => JSON.stringify(rows.slice(from, from + TEXT_AT_ONCE)).slice(1, -1))
  return `[${texts.join(',')}]`
}
