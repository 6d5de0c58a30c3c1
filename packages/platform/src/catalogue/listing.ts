import { ONE } from '@augury/units/price'
import type { EarlierPrice } from '../prices/earlier-prices.ts'
import type { EventRow, MarketRow, TagRow } from './discovery.ts'
import { feeBpsOf } from './fees.ts'
import type { Finding } from './finding.ts'
import { composeRules } from './rules-text.ts'
import { shiftYears } from './shift-years.ts'
import { isPlaceholder, type NotOpen, notOpen } from './source-state.ts'

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
  /** Prices from before it was listed here, oldest first. */
  history?: EarlierPrice[]
}

/** An event ready to be stored. */
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
  /** Whether its source shows it in no list. */
  isHidden?: boolean
  /** Whether its dates were moved, so that its markets are not those of an event that is stored already. */
  isMoved?: boolean
  markets: ListedMarket[]
}

export interface ListingTerms {
  now: Date
  /** Slugs of the main categories of the site: they stand before other tags of an event. */
  mainCategories: ReadonlySet<string>
  /** Opens what does not trade at its source, and moves what is over by whole years, with the years that its texts name. */
  reopen: boolean
}

/** Milliseconds from now at which a reopened event ends at the earliest. */
const AHEAD_MS = 30 * 86_400_000

type Tell = (kind: Finding['kind'], place: string, text: string) => void

/**
 * Turns rows into listings that can be opened, and reports what it changed and left out: what does not trade at its source, is over, or
 * only a placeholder. Missing ends are taken from the event, prices are clamped and rounded to the grid. Volume only seeds the ranking.
 */
export function toListings(rows: readonly EventRow[], terms: ListingTerms): { listings: Listing[]; findings: Finding[] } {
  const findings: Finding[] = []
  const tell: Tell = (kind, place, text) => void findings.push({ kind, place, text })
  return { listings: rows.flatMap((row) => toListing(row, terms, tell) ?? []), findings }
}

function toListing(row: EventRow, { now, mainCategories, reopen }: ListingTerms, tell: Tell): Listing | null {
  const skip = (why: string, kind: Finding['kind'] = 'event_skipped') => {
    tell(kind, row.place, why)
    return null
  }
  const closed = reopen ? null : notOpen(row)
  if (closed) return skip(`${row.slug} is ${closed.why} in the file`, 'not_open')
  const rows = openMarkets(row, reopen, tell)
  if (typeof rows === 'string') return skip(rows)
  const listedEnd = latest([row.endDate, ...rows.map((market) => market.endDate)].filter((end) => end !== undefined))
  if (rows.length === 0) return skip('no market is left')
  if (listedEnd === null) return skip('neither the event nor a market has an end date')
  if (listedEnd <= now && !reopen) return skip(`${row.slug} ended ${short(listedEnd)}`, 'over')
  const years = yearsUntilAhead(listedEnd, now)
  const around = { event: row, listedEnd, years, now, fee: 0, tell }
  const tags = ordered(row.tags, mainCategories)
  if (tags.length === 0) tell('no_category', row.place, 'no tags, so no main category')
  else if (!mainCategories.has(tags[0]!.slug)) tell('no_category', row.place, `none of its tags is a main category of the site`)
  const markets = rows.flatMap((market) => toMarket(market, { ...around, fee: feeBpsOf(tags[0]?.slug) }) ?? [])
  if (markets.length === 0) return skip('no market is left')
  if (row.negRisk && markets.length < 2) return skip('an event in which exactly one market wins needs two')
  const endDate = addYears(listedEnd, years)
  if (years > 0) tell('date_moved', row.place, `ended ${short(listedEnd)}, moved to ${short(endDate)} with its texts`)
  return {
    place: row.place,
    slug: row.slug,
    title: shiftYears(row.title, years, listedEnd),
    negRisk: row.negRisk,
    tags,
    rules: shiftYears(row.description ?? '', years, listedEnd),
    iconUrl: row.icon ?? row.image ?? '',
    startDate: row.startDate ? addYears(row.startDate, years) : null,
    endDate,
    rankingSeed: Math.round(row.volume ?? 0),
    isHidden: Boolean(row.hidden || row.isHidden || row.forceHide) && !row.forceShow,
    isMoved: years > 0,
    markets,
  }
}

/** Main categories of the site before other tags, each in the order of the file. */
const ordered = (tags: readonly TagRow[], mains: ReadonlySet<string>): TagRow[] => [
  ...tags.filter(({ slug }) => mains.has(slug)),
  ...tags.filter(({ slug }) => !mains.has(slug)),
]

/**
 * The markets of an event that may open. Of an event in which exactly one wins, those that lost and placeholders are left out; any other
 * that does not trade could be the one, so the answer is why the event is left out.
 */
function openMarkets({ markets, negRisk, negRiskAugmented }: EventRow, reopen: boolean, tell: Tell): MarketRow[] | string {
  const open: MarketRow[] = []
  for (const market of markets) {
    const closed = notOpen(market, market.outcomePrices)
    const stands = closed?.why === 'inactive' && isPlaceholder(market.groupItemTitle || market.question)
    if (!closed || (reopen && !stands)) {
      open.push(market)
      continue
    }
    tell('not_open', market.place, `${market.slug} is ${stands ? 'an inactive placeholder' : closed.why} in the file`)
    if (negRisk && !stands && !isOut(closed, negRiskAugmented))
      return `exactly one of its markets wins, and ${market.slug}, which is ${closed.why}, could be it or was: none is taken`
  }
  return open
}

/** Whether a market cannot win any more, or, in an event that names candidates later, is not named yet. */
const isOut = ({ why, wins }: NotOpen, augmented: boolean | undefined): boolean => wins === 1 || (why === 'inactive' && augmented === true)

interface Surroundings {
  event: EventRow
  listedEnd: Date
  years: number
  now: Date
  fee: number
  tell: Tell
}

function toMarket(row: MarketRow, { event, listedEnd, years, now, fee, tell }: Surroundings): ListedMarket | null {
  const shift = (text: string) => shiftYears(text, years, listedEnd)
  const own = row.endDate && addYears(row.endDate, years)
  if (own && own <= now && !event.negRisk) {
    tell('over', row.place, `${row.slug} ended ${short(row.endDate!)}`)
    return null
  }
  const isOwn = own !== undefined && own > now
  const endTime = isOwn ? own : addYears(listedEnd, years)
  if (!isOwn) tell('end_from_event', `${row.place}.endDate`, `${own ? 'over' : 'missing'}, taken from the event: ${short(endTime)}`)
  const { outcomePrices: [yes] = [0.5], orderPriceMinTickSize: grid } = row
  const listingPrice = toGrid(yes, grid)
  if (listingPrice !== Math.round(yes * ONE * 1e6) / 1e6)
    tell('price_adjusted', `${row.place}.outcomePrices`, `${yes} became ${listingPrice / ONE}`)

  const question = shift(row.question)
  const facts = {
    question,
    outcomes: row.outcomes,
    endTime,
    listedEnd: years > 0 ? (row.endDate ?? listedEnd) : null,
    exclusiveIn: event.negRisk ? shift(event.title) : null,
  }
  return {
    slug: row.slug,
    question,
    shortTitle: shift(row.groupItemTitle ?? ''),
    outcomes: row.outcomes,
    endTime,
    grid,
    minLots: row.orderMinSize,
    feeBps: fee,
    rules: shift(row.description || event.description || '') || composeRules(facts),
    ...sourceOf(row, event),
    iconUrl: row.icon ?? row.image ?? '',
    listingPrice,
    rankingSeed: Math.round(row.volumeNum ?? 0),
    ...(row.priceHistory && { history: historyOf(row.priceHistory, years, now) }),
  }
}

/** Prices by the minute up to now, the last of each; of what moved by whole years they move as well. */
function historyOf(points: readonly { t: number; p: number }[], years: number, now: Date): EarlierPrice[] {
  const timed = points.map(({ t, p }) => ({ at: addYears(new Date(t * 1000), years).getTime(), price: Math.round(p * ONE) }))
  const past = timed.filter(({ at }) => at < now.getTime()).sort((a, b) => a.at - b.at)
  return [...new Map(past.map(({ at, price }) => [Math.floor(at / 60_000), price]))].map(([minute, price]) => ({ minute, price }))
}

/** The source that decides a market, or that of its event; by its host where it has no name. */
function sourceOf(row: MarketRow, event: EventRow): { resolutionSource: string; resolutionSourceUrl: string } {
  const from = row.resolutionSource || row.resolutionSourceName ? row : event
  const url = from.resolutionSource ?? ''
  return {
    resolutionSource: from.resolutionSourceName ?? URL.parse(url)?.hostname.replace(/^www\./, '') ?? '',
    resolutionSourceUrl: url,
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
