import { setImmediate } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import type { Clause } from '@augury/search/read-search'
import { SearchIndex, type Texts } from '@augury/search/search-index'
import { inTurns } from '../../base/in-turns.ts'
import type { ListedEvent } from './catalogue.ts'

/** Events that are put into the index in one turn of the event loop. */
const INDEXED_AT_ONCE = 50

interface Known {
  place: number
  markets: number
  updatedAt: number
  digest: number
}

/** The events of an exchange by their words, in memory. Only what changed is indexed again. */
export class SearchedEvents {
  #index = new SearchIndex<ListedEvent>()
  #known = new Map<string, Known>()
  #removed = 0
  #latest: { of: readonly ListedEvent[]; made: Promise<unknown> } = { of: [], made: Promise.resolve() }

  /** Those of the events that a search finds, with how well: the best is 0. */
  async find(events: readonly ListedEvent[], clauses: readonly Clause[]): Promise<{ row: ListedEvent; rank: number }[]> {
    if (this.#latest.of !== events) {
      const made = this.#latest.made.then(() => this.#putAll(events))
      this.#latest = { of: events, made }
    }
    await this.#latest.made
    if (this.#removed > this.#known.size) await this.#renew(events)
    return this.#index.find(clauses, () => setImmediate())
  }

  async #putAll(events: readonly ListedEvent[]): Promise<void> {
    await inTurns(events, INDEXED_AT_ONCE, (event) => this.#put(event))
    if (this.#known.size === events.length) return
    const listed = new Set(events.map(keyOf))
    for (const [key, { place }] of this.#known) {
      if (listed.has(key)) continue
      // Hidden since.
      this.#index.remove(place)
      this.#removed++
      this.#known.delete(key)
    }
  }

  #put(event: ListedEvent): null {
    const { updatedAt, markets } = event
    const key = keyOf(event)
    const known = this.#known.get(key)
    if (known?.markets === markets.length && known.updatedAt === updatedAt) {
      this.#index.replace(known.place, event)
      return null
    }
    const texts = textsOf(event)
    const digest = crc32(JSON.stringify(texts))
    if (known?.digest === digest) this.#index.replace(known.place, event)
    else if (known) {
      this.#index.remove(known.place)
      this.#removed++
    }
    const place = known?.digest === digest ? known.place : this.#index.add(event, texts)
    this.#known.set(key, { place, markets: markets.length, updatedAt, digest })
    return null
  }

  /** Forgets events that were indexed again more often than there are events. */
  async #renew(events: readonly ListedEvent[]): Promise<void> {
    this.#index = new SearchIndex()
    this.#known = new Map()
    this.#removed = 0
    this.#latest.made = this.#putAll(events)
    await this.#latest.made
  }
}

const keyOf = ({ slug, markets }: ListedEvent): string => `${markets[0]!.market.creator} ${slug}`

function textsOf({ slug, series, tags, markets }: ListedEvent): Texts {
  const names = markets.flatMap(({ market: { metadata, outcomes } }) => [
    metadata.short_title,
    metadata.question,
    ...outcomes.filter((outcome) => outcome !== 'Yes' && outcome !== 'No'),
  ])
  return {
    title: markets[0]!.market.metadata.event.title,
    names: names.join('\n'),
    marks: [slug, series?.slug ?? '', ...tags.flatMap((tag) => [tag.name, tag.slug])].join('\n'),
  }
}
