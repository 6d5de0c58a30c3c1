import { setImmediate } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import { SearchIndex } from '@augury/search/search-index'
import type { EntityManager } from '@mikro-orm/postgresql'

interface Known {
  place: number
  digest: number
}

/** Events that can be found. */
export interface Searchable {
  /** Ids by their words. */
  index: SearchIndex<string>
  /** Statuses by place in the index, as places in `STATUSES`: a search looks at those of all that it finds. */
  statuses: number[]
  /** The place of each event, with a digest of its words. */
  known: Map<string, Known>
}

export type EventStatus = 'draft' | 'active' | 'resolved' | 'archived'

/** Statuses by their numbers. */
export const STATUSES: readonly EventStatus[] = ['draft', 'active', 'resolved', 'archived']

interface SearchRow {
  id: string | null
  until: string
  terms: string
}

/** Every place there was when it was made, those of events in the order of a list. */
interface Ordered {
  madeAt: number
  places: Uint32Array
}

/** Fields of `event_search.terms`, as its index has them. Tags are labels of the last. */
const FIELDS: Readonly<Record<string, number>> = { t: 0, n: 1, m: 2, g: 2 }
/** Rows that are read at once, and that are put into the index in one turn of the event loop. */
const READ_AT_ONCE = 2000
const INDEXED_AT_ONCE = 50
/** Age in milliseconds from which an order is made again, while the old one serves. */
const ORDER_AGE = 30_000
const UUID = 36
const PLACED_AT_ONCE = 10_000

const nothing = (): Searchable => ({ index: new SearchIndex(), statuses: [], known: new Map() })

const placesFrom = (from: number, to: number): Uint32Array => new Uint32Array(to - from).map((_, n) => from + n)

function joined(a: Uint32Array, b: Uint32Array): Uint32Array {
  const all = new Uint32Array(a.length + b.length)
  all.set(a)
  all.set(b, a.length)
  return all
}

/** The label of a tag. */
export const labelOf = (tagId: string): string => `/${tagId}`

/**
 * The events of a site by their words, in memory: what the table `event_search` holds. What transactions wrote since is read before every
 * search, so that it finds what was there when it was asked.
 */
export class SearchedEvents {
  #events: Searchable = nothing()
  #removed = 0
  /** Transactions before this one are read; null before the first reading. */
  #since: string | null = null
  #running: Promise<unknown> = Promise.resolve()
  #waiting: Promise<Searchable> | null = null
  #orders = new Map<string, { latest: Ordered | null; making: Promise<Ordered> | null }>()

  /** The events with all that was committed before the call. Callers during a read share the next read. */
  upToDate(em: EntityManager): Promise<Searchable> {
    this.#waiting ??= this.#running.then(() => {
      this.#waiting = null
      const reading = this.#read(em)
      this.#running = reading.catch(() => {})
      return reading
    })
    return this.#waiting
  }

  /** All places of an index, in an order of lists that may be half a minute old. Newer events follow. */
  async inOrder(em: EntityManager, { index }: Searchable, order: string): Promise<Uint32Array> {
    if (index !== this.#events.index) return placesFrom(0, index.size) // it was made again since the search began
    const kept = this.#orders.get(order) ?? { latest: null, making: null }
    this.#orders.set(order, kept)
    if (!kept.making && (!kept.latest || performance.now() - kept.latest.madeAt > ORDER_AGE)) {
      kept.making = this.#order(em, order).finally(() => {
        kept.making = null
      })
      kept.making.then(
        (made) => {
          kept.latest = made
        },
        () => {}, // the next search tries again; this one fails only if it waits
      )
    }
    const { places } = kept.latest ?? (await kept.making!)
    return places.length < index.size ? joined(places, placesFrom(places.length, index.size)) : places
  }

  async #order(em: EntityManager, order: string): Promise<Ordered> {
    const { known } = this.#events
    const [row]: { ids: string }[] = await em.execute(
      `select coalesce(string_agg(id::text, ''), '') as ids from (select id from event order by ${order}) event`,
    )
    const isIn = new Uint8Array(this.#events.index.size)
    const places = new Uint32Array(row!.ids.length / UUID)
    let count = 0
    for (let n = 0; n < places.length; n++) {
      if (n % PLACED_AT_ONCE === 0) await setImmediate()
      const place = known.get(row!.ids.slice(n * UUID, (n + 1) * UUID))?.place
      if (place === undefined || place >= isIn.length) continue
      isIn[place] = 1
      places[count++] = place
    }
    const others = placesFrom(0, isIn.length).filter((place) => isIn[place] === 0)
    return { madeAt: performance.now(), places: joined(places.subarray(0, count), others) }
  }

  async #read(em: EntityManager): Promise<Searchable> {
    if (this.#removed > this.#events.known.size) this.#forget()
    const since = this.#since
    let until: string | null = null
    for (let last = '00000000-0000-0000-0000-000000000000'; ; ) {
      // A restored database has rows of transactions that are still to come by its own count: they were there at the first reading.
      const rows: SearchRow[] = await em.execute(
        `select pg_snapshot_xmin(now)::text as until, page.* from pg_current_snapshot() now left join lateral (
           select event_id as id, array_to_string(tsvector_to_array(terms), ' ') as terms from event_search
           where event_id > ? ${since === null ? '' : 'and changed >= ?::xid8 and changed < pg_snapshot_xmax(now)'} order by event_id limit ?
         ) page on true`,
        [last, ...(since === null ? [] : [since]), READ_AT_ONCE],
      )
      until ??= rows[0]!.until
      for (const [n, row] of rows.entries()) {
        if (row.id !== null) this.#put(row.id, row.terms)
        if (n % INDEXED_AT_ONCE === INDEXED_AT_ONCE - 1) await setImmediate()
      }
      if (rows.length < READ_AT_ONCE) break
      last = rows.at(-1)!.id!
    }
    this.#since = until
    return this.#events
  }

  #put(id: string, text: string): void {
    const terms = text.split(' ')
    const { index, statuses, known: all } = this.#events
    const status = terms.find((term) => term.startsWith('s/'))!
    const number = STATUSES.indexOf(status.slice(2) as EventStatus)
    const digest = crc32(terms.filter((term) => term !== status).join(' '))
    const known = all.get(id)
    if (known?.digest === digest) {
      statuses[known.place] = number
      return
    }
    if (known) {
      index.remove(known.place)
      this.#removed++
    }
    const fields: string[][] = [[], [], []]
    for (const term of terms) fields[FIELDS[term[0]!]!]?.push(term.startsWith('g/') ? labelOf(term.slice(2)) : term.slice(2))
    const place = index.addTerms(id, fields)
    statuses[place] = number
    all.set(id, { place, digest })
  }

  /** Begins again, when more is removed than there is. */
  #forget(): void {
    this.#events = nothing()
    this.#orders = new Map()
    this.#removed = 0
    this.#since = null
  }
}
