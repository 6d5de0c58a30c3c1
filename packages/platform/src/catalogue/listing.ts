import { ONE } from '@augury/units/price'
import type { EventRow, MarketRow, TagRow } from './discovery.ts'
import { feeBpsOf } from './fees.ts'
import type { Finding } from './finding.ts'
import { composeRules } from './rules-text.ts'

/** A cleaned-up market, ready to be stored. Prices in steps, sizes in lots. */
export interface ListedMarket {
  slug: string
  question: string
  shortTitle: string
  outcomes: [string, string]
  endTime: Date
  grid: number
  minLots: number
  feeBps: number
  rules: string
  resolutionSource?: string
  resolutionSourceUrl: string
  iconUrl: string
  listingPrice: number
  rankingSeed: number
}

/** An event ready to be stored; the first tag is its main category. */
export interface Listing {
  place: string
  slug: string
  title: string
  negRisk: boolean
  /** Given when another creator chose it; ours is derived from the slug. */
  negRiskMarketId?: string
  tags: TagRow[]
  rules: string
  iconUrl: string
  seriesSlug?: string | null
  startDate: Date | null
  endDate: Date
  rankingSeed: number
  markets: ListedMarket[]
}

/** Milliseconds from now at which a reopened market ends at the earliest. */
const AHEAD_MS = 30 * 86_400_000

/**
 * Turns rows into listings that can be opened at `now`, and reports what it changed: missing ends are taken from the event, past ones move
 * by whole years until they lie 30 days ahead, prices are clamped and rounded to the grid. Volume only seeds the ranking.
 */
export function toListings(rows: readonly EventRow[], now: Date): { listings: Listing[]; findings: Finding[] } {
  const findings: Finding[] = []
  const tell = (kind: Finding['kind'], place: string, text: string) => void findings.push({ kind, place, text })
  const listings = rows.flatMap((row) => {
    const listedEnd = row.endDate ?? latest(row.markets.flatMap((market) => market.endDate ?? []))
    const negRisk = row.negRisk ?? false
    const skip = (why: string) => {
      tell('event_skipped', row.place, why)
      return []
    }
    if (row.markets.length === 0) return skip('no market is left')
    if (listedEnd === null) return skip('neither the event nor a market has an end date')
    if (negRisk && row.markets.length < 2) return skip('an event in which exactly one market wins needs two')
    if (row.tags.length === 0) tell('no_category', row.place, 'no tags, so no main category')

    const years = yearsUntilAhead(listedEnd, now)
    const endDate = addYears(listedEnd, years)
    if (years > 0) tell('date_moved', row.place, `ended ${short(listedEnd)}, moved to ${short(endDate)}`)
    const markets = row.markets.map((market) => toMarket(row, market, { listedEnd, years, now, tell }))
    const lastEnd = latest([endDate, ...markets.map((market) => market.endTime)])!
    if (lastEnd > endDate) tell('date_moved', row.place, `end moved to that of its last market, ${short(lastEnd)}`)
    return [
      {
        place: row.place,
        slug: row.slug,
        title: row.title,
        negRisk,
        tags: row.tags,
        rules: row.description ?? '',
        iconUrl: row.icon ?? '',
        startDate: row.startDate ?? null,
        endDate: lastEnd,
        rankingSeed: Math.round(row.volume ?? 0),
        markets,
      },
    ]
  })
  return { listings, findings }
}

interface Surroundings {
  listedEnd: Date
  years: number
  now: Date
  tell: (kind: Finding['kind'], place: string, text: string) => void
}

function toMarket(event: EventRow, row: MarketRow, { listedEnd, years, now, tell }: Surroundings): ListedMarket {
  if (!row.endDate) tell('end_from_event', `${row.place}.endDate`, `missing, taken from the event: ${short(listedEnd)}`)
  const listed = row.endDate ?? listedEnd
  const withEvent = addYears(listed, years)
  const endTime = addYears(withEvent, yearsUntilAhead(withEvent, now))
  const moved = endTime.getTime() !== listed.getTime()
  if (moved && row.endDate) tell('date_moved', `${row.place}.endDate`, `${short(listed)} moved to ${short(endTime)}`)

  const [yes] = row.outcomePrices
  const listingPrice = toGrid(yes, row.orderPriceMinTickSize)
  if (listingPrice !== Math.round(yes * ONE * 1e6) / 1e6)
    tell('price_adjusted', `${row.place}.outcomePrices`, `${yes} became ${listingPrice / ONE}`)

  const negRisk = event.negRisk ?? false
  const facts = {
    question: row.question,
    outcomes: row.outcomes,
    endTime,
    listedEnd: moved ? listed : null,
    exclusiveIn: negRisk ? event.title : null,
  }
  return {
    slug: row.slug,
    question: row.question,
    shortTitle: row.groupItemTitle ?? '',
    outcomes: row.outcomes,
    endTime,
    grid: row.orderPriceMinTickSize,
    minLots: row.orderMinSize,
    feeBps: feeBpsOf(event.tags[0]?.slug),
    rules: row.description || composeRules(facts),
    resolutionSourceUrl: row.resolutionSource ?? '',
    iconUrl: row.icon ?? '',
    listingPrice,
    rankingSeed: Math.round(row.volumeNum ?? 0),
  }
}

/** The nearest price of the grid, in steps. */
function toGrid(price: number, grid: number): number {
  const nearest = Math.round((price * ONE) / grid) * grid
  return Math.min(Math.max(nearest, grid), ONE - grid)
}

/** Whole years to add to an end that has passed, so that it lies far enough ahead; 0 when it has not passed. */
function yearsUntilAhead(end: Date, now: Date): number {
  if (end > now) return 0
  let years = Math.max(1, now.getUTCFullYear() - end.getUTCFullYear())
  while (addYears(end, years).getTime() < now.getTime() + AHEAD_MS) years++
  return years
}

function addYears(date: Date, years: number): Date {
  const moved = new Date(date)
  moved.setUTCFullYear(date.getUTCFullYear() + years)
  return moved
}

const latest = (dates: readonly Date[]): Date | null => (dates.length === 0 ? null : new Date(Math.max(...dates.map(Number))))
const short = (date: Date) => date.toISOString().slice(0, 10)
