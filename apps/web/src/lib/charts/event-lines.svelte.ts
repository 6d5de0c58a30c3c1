import { NoAnswerError, RefusedError } from '@augury/client/answer'
import { CHART_LINES } from '@augury/wire/limits'
import { untrack } from 'svelte'
import type { MarketView } from '#lib/event/event-view.ts'
import { siteQuery } from '#lib/failure/site-call.ts'
import type { ChanceTrail } from './chance-trail.ts'
import { type Line, upTo } from './lines.ts'
import type { Range } from './range.ts'

/** What the lines of an event's page are made of: the lines that it was read with, and the chances (percent by slug) as of `now`. */
interface Source {
  slug: string
  range: Range
  markets: readonly MarketView[]
  lines: readonly Line[]
  percents: ReadonlyMap<string, number | null>
  now: number
  /** The right end of the chart. */
  until: number
}

/** The lines of an event's chart: the leading markets and the selected one, until the reader chooses. What was chosen holds while the page is open. */
export class EventLines {
  readonly #source: () => Source
  #chosen = $state.raw<ReadonlyMap<string, boolean>>(new Map())
  /** Lines that were read since, of a range. */
  #more = $state.raw<{ of: string; lines: readonly Line[] }>({ of: '', lines: [] })
  #trail = $state.raw<ChanceTrail>()
  #event = ''

  constructor(source: () => Source) {
    this.#source = source
  }

  readonly #of = $derived.by(() => `${this.#source().slug} ${this.#source().range}`)
  readonly #known = $derived.by(() => {
    const { lines, markets } = this.#source()
    const all = [...lines, ...(this.#more.of === this.#of ? this.#more.lines : [])]
    return markets.flatMap(({ slug }) => all.find((line) => line.slug === slug) ?? [])
  })
  /** The lines that are shown, in the order of the markets, up to what was read. */
  readonly charted = $derived.by(() => this.#known.filter(({ slug }) => this.shows(slug)))
  /** The ends of the lines as one string: the chart only re-renders when one of them changes. */
  readonly #ends = $derived.by(() => JSON.stringify(this.charted.map(({ slug }) => [slug, this.#source().percents.get(slug) ?? null])))
  readonly #until = $derived.by(() => this.#source().until)
  /** The same, up to now. */
  readonly drawn = $derived.by(() => {
    const seen = this.#trail?.after(this.charted, this.#until) ?? this.charted
    return upTo(seen, this.#until, new Map<string, number | null>(JSON.parse(this.#ends)))
  })
  /** Whether another line can be shown. */
  readonly hasRoom = $derived.by(() => this.charted.length < CHART_LINES)

  /** Whether the line of a market is shown, or will be once it is read. */
  shows(slug: string): boolean {
    return this.#chosen.get(slug) ?? this.#source().lines.some((line) => line.slug === slug)
  }

  choose(slug: string, isShown: boolean): void {
    this.#chosen = new Map(this.#chosen).set(slug, isShown)
  }

  /** Begins to keep what is seen from now on. */
  async begin(): Promise<void> {
    this.#trail = new (await import('./chance-trail.ts')).ChanceTrail()
  }

  /** For an effect: keeps the chances that are seen. */
  note(): void {
    const { percents, now } = this.#source()
    this.#trail?.note(percents, now)
  }

  /** For an effect: reads the lines that were chosen and are not known in this range. Another event begins without a choice. */
  read(): void {
    const { slug, range, markets } = this.#source()
    const of = this.#of
    if (this.#event !== slug) {
      this.#event = slug
      this.#chosen = new Map()
    }
    const known = new Set(this.#known.map((line) => line.slug))
    const lacked = markets.filter((market) => this.#chosen.get(market.slug) && !known.has(market.slug))
    if (lacked.length > 0) untrack(() => void this.#read(of, slug, range, lacked))
  }

  async #read(of: string, slug: string, range: Range, lacked: readonly MarketView[]): Promise<void> {
    try {
      const read = await siteQuery('chanceLines', { query: { slug, range, of: lacked.map(({ conditionId }) => conditionId) } })
      const lines = lacked.map(({ slug, name, place, conditionId }): Line => {
        const found = read.find(({ condition_id }) => condition_id === conditionId)
        return { slug, name, place, points: found?.history ?? [], earlier: found?.earlier ?? null }
      })
      this.#more = { of, lines: [...(this.#more.of === of ? this.#more.lines : []), ...lines] }
    } catch (error) {
      if (!(error instanceof NoAnswerError || error instanceof RefusedError)) throw error
      for (const market of lacked) this.choose(market.slug, false)
    }
  }
}
