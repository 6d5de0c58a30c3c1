import { hash } from 'node:crypto'
import { FIRST_CURSOR, LAST_CURSOR } from '@augury/wire/limits'
import { ServiceError } from '@augury/wire/service-error'

/** Query parameters that do not select what is listed. */
const NOT_FILTERS: ReadonlySet<string> = new Set(['next_cursor', 'limit', 'signature_type', 'geo_block_token'])

/** Cursors of one list under given filters. A cursor carries a hash of both, so it only continues the list that it came from. */
export class Cursors {
  readonly #tag: string

  /** `asked` are the filters, and the account where the list is private. */
  constructor(list: string, asked: object) {
    const filters = Object.entries(asked).filter(([key, value]) => value !== undefined && !NOT_FILTERS.has(key))
    this.#tag = hash('sha256', JSON.stringify([list, filters.sort(([a], [b]) => (a < b ? -1 : 1))]), 'base64url').slice(0, 8)
  }

  /** The cursor of a place, which is a text of the list's own. */
  at(place: string): string {
    return Buffer.from(`${this.#tag}.${place}`, 'latin1').toString('base64url')
  }

  /** The place of a cursor; null at the beginning, `end` after the last row. Throws `invalid_payload` when it belongs to another list. */
  place(cursor: string | undefined): string | null | 'end' {
    if (cursor === undefined || cursor === '' || cursor === FIRST_CURSOR) return null
    if (cursor === LAST_CURSOR) return 'end'
    const [tag, place = ''] = Buffer.from(cursor, 'base64url').toString('latin1').split('.')
    if (tag !== this.#tag || place === '') throw invalid()
    return place
  }

  /** The same where places are log positions: 0 at the beginning, `end` after the last row. */
  position(cursor: string | undefined, end = Number.MAX_SAFE_INTEGER): number {
    const place = this.place(cursor)
    if (place === null) return 0
    if (place === 'end') return end
    if (!/^[1-9]\d{0,15}$/.test(place) || !Number.isSafeInteger(Number(place))) throw invalid()
    return Number(place)
  }
}

const invalid = () => new ServiceError('invalid_payload', { text: 'Invalid next_cursor' })
