import { DecimalError, parseLots } from '@augury/units/decimal'
import { lots } from '@augury/units/lots'
import { isGrid, ONE } from '@augury/units/price'
import { outcomeNames, slug, webAddress } from '@augury/wire/condition-request'
import { visible } from '@augury/wire/text'
import { z } from 'zod'
import type { Finding } from './finding.ts'

/** Defaults: a tick of 0.01, and orders of at least 5 shares. */
const USUAL_GRID = 100
const USUAL_MIN_LOTS = lots(500)
const MOST_MIN_LOTS = 100_000_000

const number = z.union(
  [
    z.number(),
    z
      .string()
      .trim()
      .regex(/^-?\d+(\.\d+)?$/)
      .transform(Number),
  ],
  'expected a number',
)
const amount = number.pipe(z.number().min(0).max(1e15))
const date = z.union([z.iso.datetime({ offset: true }), z.iso.date()], 'expected an ISO 8601 date').transform((text) => new Date(text))
/** A text of which something can be seen. */
const line = z.string().overwrite(visible).trim().min(1)
const label = line.max(100)

/** A list given as JSON inside a string. */
const listInText = z.unknown().transform((value, context) => {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value) as unknown
  } catch {
    context.addIssue({ code: 'custom', message: 'not JSON inside the string' })
    return z.NEVER
  }
})

const grid = z
  .number()
  .transform((tick) => Math.round(tick * ONE))
  .refine(isGrid, 'not one of the ticks 0.1, 0.01, 0.005, 0.0025, 0.001, 0.0001')

const minLots = number.transform((shares, context) => {
  try {
    const count = parseLots(String(shares))
    if (count >= 1 && count <= MOST_MIN_LOTS) return count
    context.addIssue({ code: 'custom', message: 'not a size an order can have' })
    return z.NEVER
  } catch (error) {
    if (!(error instanceof DecimalError)) throw error
    context.addIssue({ code: 'custom', message: 'not a size in hundredths of a share' })
    return z.NEVER
  }
})

const marketRow = z.object({
  question: line.max(1000),
  slug,
  groupItemTitle: z.string().trim().max(200).nullish(),
  outcomes: listInText.pipe(z.tuple([label, label], 'expected two labels')).pipe(outcomeNames),
  outcomePrices: listInText.pipe(z.tuple([number, number], 'expected two numbers')),
  volumeNum: amount.nullish(),
  endDate: date.nullish(),
  orderPriceMinTickSize: grid.nullish().transform((steps) => steps ?? USUAL_GRID),
  orderMinSize: minLots.nullish().transform((count) => count ?? USUAL_MIN_LOTS),
  description: z.string().trim().max(20_000).nullish(),
  resolutionSource: webAddress.nullish(),
  icon: webAddress.nullish(),
})

const tagRow = z.object({ slug: slug.max(80), label: line.max(80) })

const eventRow = z.object({
  slug,
  title: line.max(400),
  startDate: date.nullish(),
  endDate: date.nullish(),
  negRisk: z.boolean().nullish(),
  volume: amount.nullish(),
  description: z.string().trim().max(20_000).nullish(),
  icon: webAddress.nullish(),
  tags: z.array(z.unknown()).max(50).nullish(),
  markets: z.array(z.unknown()).min(1, 'no markets').max(1000),
})

export type MarketRow = z.output<typeof marketRow> & { place: string }
export type TagRow = z.output<typeof tagRow>
/** An event of a discovery file whose parts are all well-formed. */
export type EventRow = Omit<z.output<typeof eventRow>, 'markets' | 'tags'> & { place: string; markets: MarketRow[]; tags: TagRow[] }

/** Thrown when a file is no discovery file at all; the message says why. */
export class DiscoveryError extends Error {
  override readonly name = 'DiscoveryError'
}

/**
 * Reads a file in the discovery format: a JSON array of events with their markets. A malformed event, market or tag is left out and
 * reported with its place, and so is a repeated slug. Throws DiscoveryError when the text is no JSON array.
 */
export function readDiscovery(text: string): { events: EventRow[]; findings: Finding[] } {
  const findings: Finding[] = []
  const eventSlugs = new Set<string>()
  const marketSlugs = new Set<string>()

  const read = <Row>(schema: z.ZodType<Row>, value: unknown, place: string): Row | undefined => {
    const result = schema.safeParse(value)
    if (result.success) return result.data
    const { path, message } = result.error.issues[0]!
    findings.push({
      kind: 'malformed',
      place: place + path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join(''),
      text: message,
    })
    return undefined
  }
  const isFirst = (seen: Set<string>, row: { slug: string }, place: string): boolean => {
    const first = !seen.has(row.slug)
    seen.add(row.slug)
    if (!first) findings.push({ kind: 'duplicate', place, text: `the slug ${row.slug} came before` })
    return first
  }
  const readEvent = (value: unknown, place: string): EventRow[] => {
    const row = read(eventRow, value, place)
    if (!row || !isFirst(eventSlugs, row, place)) return []
    const tags = (row.tags ?? []).flatMap((tag, index) => read(tagRow, tag, `${place}.tags[${index}]`) ?? [])
    const markets = row.markets.flatMap((market, index) => {
      const at = `${place}.markets[${index}]`
      const parsed = read(marketRow, market, at)
      return parsed && isFirst(marketSlugs, parsed, at) ? [{ ...parsed, place: at }] : []
    })
    return [{ ...row, place, tags: [...new Map(tags.map((tag) => [tag.slug, tag])).values()], markets }]
  }

  const events = parseArray(text).flatMap((value, index) => readEvent(value, `[${index}]`))
  return { events, findings }
}

function parseArray(text: string): unknown[] {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new DiscoveryError(`not a JSON file: ${(error as Error).message}`)
  }
  if (!Array.isArray(value)) throw new DiscoveryError('not a discovery file: expected a JSON array of events')
  return value
}
