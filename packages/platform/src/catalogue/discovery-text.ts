import { gunzipSync } from 'node:zlib'
import type { Finding } from './finding.ts'

/** Thrown when a file is no discovery file at all; the message says why. */
export class DiscoveryError extends Error {
  override readonly name = 'DiscoveryError'
}

/** An event of a file before it is checked. */
export interface RawEvent {
  value: unknown
  place: string
  /** Places of its markets where they are not inside the event. */
  marketPlaces?: string[]
}

type Json = Record<string, unknown>

/** Most bytes that a compressed file may hold. */
const MOST_BYTES = 512 * 1024 * 1024
/** Keys under which a page holds its rows. */
const LISTS = ['events', 'data', 'markets', 'results']

/** Decodes the bytes of a file: UTF-8 or UTF-16 by its byte order mark, also compressed by gzip. Throws DiscoveryError. */
export function discoveryText(bytes: Uint8Array): string {
  const [first, second] = bytes
  try {
    if (first === 0x1f && second === 0x8b) return discoveryText(gunzipSync(bytes, { maxOutputLength: MOST_BYTES }))
    const encoding = first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch (error) {
    if (error instanceof DiscoveryError) throw error
    throw new DiscoveryError(`no text in UTF-8 or UTF-16: ${(error as Error).message}`)
  }
}

/**
 * Returns the events of a file, whichever envelope they came in: a list of events, a page of a list, one event, markets that name their
 * event, or one of these a line. Throws DiscoveryError.
 */
export function rawEvents(text: string): { events: RawEvent[]; findings: Finding[] } {
  const findings: Finding[] = []
  const rows = parse(text.replace(/^\uFEFF/, ''), findings).flatMap(({ value, place }) => unwrap(value, place, findings))
  return { events: gather(rows), findings }
}

interface Value {
  value: unknown
  place: string
}

/** The JSON values of a text: one, or one a line. A line that is none is reported. */
function parse(text: string, findings: Finding[]): Value[] {
  try {
    return [{ value: JSON.parse(text) as unknown, place: '' }]
  } catch (error) {
    const lines = text.split(/\r\n|\r|\n/).flatMap((line, index) => (line.trim() === '' ? [] : [{ line, place: `line ${index + 1}` }]))
    const values = lines.flatMap(({ line, place }): Value[] => {
      try {
        return [{ value: JSON.parse(line) as unknown, place }]
      } catch {
        findings.push({ kind: 'malformed', place, text: 'not JSON' })
        return []
      }
    })
    if (lines.length > 1 && isJson(values[0]?.value) && values[0].place === lines[0]!.place) return values
    throw new DiscoveryError(`not a JSON file: ${(error as Error).message}`)
  }
}

/** The events and markets of a value of the file. */
function unwrap(value: unknown, place: string, findings: Finding[]): Value[] {
  if (Array.isArray(value)) return value.flatMap((row: unknown, index) => unwrapRow(row, `${place}[${index}]`, findings))
  if (!isJson(value)) throw new DiscoveryError('not a discovery file: expected events')
  if (isEvent(value) || isMarket(value)) return [{ value, place: place || '[0]' }]
  const list = listOf(value)
  if (list === undefined) throw new DiscoveryError('not a discovery file: expected events')
  if (hasMore(value)) findings.push({ kind: 'more_pages', place, text: 'the file is one page of a list that goes on' })
  return unwrap(list, place, findings)
}

/** A row of a list: an event, a market, or a whole page where pages were put together. */
const unwrapRow = (row: unknown, place: string, findings: Finding[]): Value[] =>
  isJson(row) && !isEvent(row) && !isMarket(row) && listOf(row) !== undefined ? unwrap(row, place, findings) : [{ value: row, place }]

/** What a page holds. */
const listOf = (page: Json): unknown => {
  const key = LISTS.find((each) => Array.isArray(page[each]) || (each === 'data' && isJson(page[each])))
  return key && page[key]
}

/** Events as they are, and one event of all the markets that name it, or of a market that names none. */
function gather(rows: readonly Value[]): RawEvent[] {
  const events: RawEvent[] = []
  const byName = new Map<string, { markets: unknown[]; places: string[] }>()
  for (const { value, place } of rows) {
    if (!isJson(value) || !isMarket(value)) {
      events.push({ value, place })
      continue
    }
    const parent = parentOf(value)
    const known = byName.get(String(parent.slug))
    if (known) {
      known.markets.push(value)
      known.places.push(place)
      continue
    }
    const [markets, places] = [[value as unknown], [place]]
    byName.set(String(parent.slug), { markets, places })
    events.push({ value: { ...parent, markets }, place, marketPlaces: places })
  }
  return events
}

/** The event that a market of a flat list names; else one of its own. */
function parentOf(market: Json): Json {
  const list = typeof market.events === 'string' ? tryParse(market.events) : market.events
  const named = [list, market.event].flat().find((each): each is Json => isJson(each) && typeof each.slug === 'string')
  const { slug, question, endDate, description, icon, image, tags, volumeNum } = market
  const usual = { title: named?.slug ?? question, endDate, negRisk: market.negRisk, tags }
  return named ? { ...usual, ...named } : { ...usual, slug, description, icon, image, volume: volumeNum }
}

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
const isEvent = (value: Json): boolean => 'markets' in value && ('slug' in value || 'title' in value)
const isMarket = (value: Json): boolean => !('markets' in value) && 'question' in value

const hasMore = ({ next_cursor, pagination }: Json): boolean =>
  (typeof next_cursor === 'string' && next_cursor !== '' && next_cursor !== 'LTE=') || (isJson(pagination) && pagination.hasMore === true)

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
