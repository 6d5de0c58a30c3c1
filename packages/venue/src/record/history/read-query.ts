import { ServiceError } from '@augury/wire/service-error'
import type pg from 'pg'

/** A page, newest first. `next` continues it, null at the end. Cursors are opaque. */
export interface Page<Row> {
  rows: Row[]
  next: string | null
}

/** Which page of a list. */
export interface PageRequest {
  /** At most 500. */
  limit: number
  cursor: string | null
}

/** The largest page of a list. */
const MAX_PAGE = 500

/** Where a page continues: after this fact. */
export interface Place {
  seq: number
  n: number
}

/** Collects the values of a query; `$1` is the stream. */
export class Values {
  readonly list: unknown[]

  constructor(stream: string) {
    this.list = [stream]
  }

  /** Adds a value and returns its placeholder. */
  of(value: unknown): string {
    this.list.push(value)
    return `$${this.list.length}`
  }
}

/** Joins SQL conditions with `and`, leaving out those that are absent. */
export const all = (...clauses: (string | false | null | undefined)[]): string => clauses.filter(Boolean).join(' and ') || 'true'

/**
 * SQL of a sum, 0 when there are no rows, capped at the safe integers: the same money traded often enough exceeds them, and reading other
 * columns of the row must not fail for that.
 */
export const counted = (sum: string): string =>
  `greatest(least(coalesce(${sum}, 0), ${Number.MAX_SAFE_INTEGER}), ${Number.MIN_SAFE_INTEGER})`

/**
 * SQL condition that facts lie before one time and after another, both excluded, in engine milliseconds. Time grows with position, so the
 * journal has the positions to begin and stop at.
 */
export function between(values: Values, seq: string, { after, before }: { after?: number; before?: number }): string {
  return all(
    before !== undefined &&
      `${seq} < coalesce((select first_seq from journal where stream = $1 and at >= ${values.of(before)} order by at, first_seq limit 1), ${Number.MAX_SAFE_INTEGER})`,
    after !== undefined &&
      `${seq} > coalesce((select last_seq from journal where stream = $1 and at <= ${values.of(after)} order by at desc, first_seq desc limit 1), 0)`,
  )
}

/** What queries run on: a pool, and the stream. */
export interface Source {
  pool: pg.Pool
  stream: string
}

/** Reads the cursor of a list. Throws ServiceError `invalid_payload` when it is not one of ours. */
export function placeOf({ cursor }: PageRequest): Place | null {
  if (cursor === null) return null
  const match = /^(\d{1,16})-(\d{1,9})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1'))
  if (!match) throw new ServiceError('invalid_payload', { text: 'Invalid next_cursor' })
  return { seq: Number(match[1]), n: Number(match[2]) }
}

/** How many rows to ask for: one more than the page holds, to see whether there is another page. */
export const fetchSize = ({ limit }: PageRequest): number => Math.max(1, Math.min(limit, MAX_PAGE)) + 1

/** Cuts what was fetched down to a page. */
export function pageOf<Row>(fetched: Row[], request: PageRequest, place: (row: Row) => Place): Page<Row> {
  const size = fetchSize(request) - 1
  const rows = fetched.slice(0, size)
  if (fetched.length <= size) return { rows, next: null }
  return { rows, next: cursorOf(place(rows.at(-1)!)) }
}

/** The cursor that goes on after a place. */
export const cursorOf = ({ seq, n }: Place): string => Buffer.from(`${seq}-${n}`, 'latin1').toString('base64url')
