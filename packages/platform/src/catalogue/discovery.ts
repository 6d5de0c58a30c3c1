import type { z } from 'zod'
import { eventCore, eventExtras, marketCore, marketExtras, tagCore, tagExtras, USUAL_GRID, USUAL_MIN_LOTS } from './discovery-fields.ts'
import { type RawEvent, rawEvents } from './discovery-text.ts'
import type { Finding, FindingKind } from './finding.ts'

/** The fields of a row that were there and well-formed. */
type Extras<Shape extends Record<string, z.ZodType>> = { [Field in keyof Shape]?: z.output<Shape[Field]> }

/** A market of a discovery file; its tick in steps, its smallest order in lots. */
export type MarketRow = z.output<typeof marketCore> &
  Omit<Extras<typeof marketExtras>, 'orderPriceMinTickSize' | 'orderMinSize'> & {
    orderPriceMinTickSize: number
    orderMinSize: number
    place: string
  }
export type TagRow = z.output<typeof tagCore>
/** An event of a discovery file with the markets that can be read. */
export type EventRow = Omit<z.output<typeof eventCore>, 'markets' | 'negRisk' | 'enableNegRisk'> &
  Omit<Extras<typeof eventExtras>, 'tags'> & { negRisk: boolean; place: string; markets: MarketRow[]; tags: TagRow[] }

/**
 * Reads a discovery file in any envelope. An event, a market or a tag without what it needs is left out, any other field that is
 * malformed is dropped, and so is what repeats a slug; each is reported with its place. An event of which exactly one market wins is left
 * out unless every market can be read. Throws DiscoveryError when the text is no discovery file.
 */
export function readDiscovery(text: string): { events: EventRow[]; findings: Finding[] } {
  const { events, findings } = rawEvents(text)
  const reader = new Reader(findings)
  return { events: events.flatMap((raw) => reader.event(raw) ?? []), findings }
}

class Reader {
  readonly #findings: Finding[]
  readonly #events = new Set<string>()
  readonly #markets = new Set<string>()

  constructor(findings: Finding[]) {
    this.#findings = findings
  }

  event({ value, place, marketPlaces }: RawEvent): EventRow | null {
    const core = this.#core(eventCore, value, place)
    if (!core || !this.#isFirst(this.#events, core.slug, place)) return null
    const { tags: listed = [], ...extras } = this.#extras(eventExtras, value as object, place)
    const places = core.markets.map((_, index) => marketPlaces?.[index] ?? `${place}.markets[${index}]`)
    const read = core.markets.map((market, index) => this.#market(market, places[index]!))
    const markets = read.filter((market) => market !== null)
    const negRisk = core.negRisk ?? core.enableNegRisk ?? (markets.length > 0 && markets.every((market) => market.negRisk === true))
    if (negRisk && markets.length < read.length) {
      const faults = read.length - markets.length
      this.#tell('event_skipped', place, `exactly one of its markets wins, and ${faults} of ${read.length} cannot be read: none is taken`)
      return null
    }
    const tags = listed.flatMap((tag, index) => this.#tag(tag, `${place}.tags[${index}]`) ?? [])
    const { slug, title } = core
    return { ...extras, slug, title, negRisk, place, tags: [...new Map(tags.map((tag) => [tag.slug, tag])).values()], markets }
  }

  #market(value: unknown, place: string): MarketRow | null {
    const core = this.#core(marketCore, value, place)
    if (!core || !this.#isFirst(this.#markets, core.slug, place)) return null
    const {
      orderPriceMinTickSize = USUAL_GRID,
      orderMinSize = USUAL_MIN_LOTS,
      ...extras
    } = this.#extras(marketExtras, value as object, place)
    return { ...extras, ...core, orderPriceMinTickSize, orderMinSize, place }
  }

  /** A tag that its source shows. */
  #tag(value: unknown, place: string): TagRow | null {
    const core = this.#core(tagCore, value, place)
    if (!core) return null
    const { forceHide, hidden, isHidden, forceShow } = this.#extras(tagExtras, value as object, place)
    if (!(forceHide || hidden || isHidden) || forceShow) return core
    this.#tell('category_hidden', place, `the source hides the tag ${core.slug}`)
    return null
  }

  #tell(kind: FindingKind, place: string, text: string): void {
    this.#findings.push({ kind, place, text })
  }

  #core<Row>(schema: z.ZodType<Row>, value: unknown, place: string): Row | null {
    const result = schema.safeParse(value)
    if (result.success) return result.data
    const { path, message } = result.error.issues[0]!
    this.#tell('malformed', at(place, path), message)
    return null
  }

  /** The fields that are there. An empty text is none. */
  #extras<Shape extends Record<string, z.ZodType>>(shape: Shape, value: object, place: string): Extras<Shape> {
    const row: Record<string, unknown> = {}
    for (const [field, schema] of Object.entries(shape)) {
      const given = (value as Record<string, unknown>)[field]
      if (given === undefined || given === null || (typeof given === 'string' && given.trim() === '')) continue
      const result = schema.safeParse(given)
      if (result.success) row[field] = result.data
      else this.#tell('field_dropped', at(`${place}.${field}`, result.error.issues[0]!.path), result.error.issues[0]!.message)
    }
    return row as Extras<Shape>
  }

  #isFirst(seen: Set<string>, slug: string, place: string): boolean {
    const first = !seen.has(slug)
    seen.add(slug)
    if (!first) this.#tell('duplicate', place, `the slug ${slug} came before`)
    return first
  }
}

const at = (place: string, path: readonly PropertyKey[]): string =>
  place + path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('')
