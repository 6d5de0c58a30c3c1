import type { Event } from '@augury/wire/platform/event'
import type { Market } from '@augury/wire/platform/market'
import { steps } from '#lib/language/numbers.ts'
import { outcomeName } from '#lib/language/outcome-name.ts'
import { siteNow } from '#lib/language/site-clock.ts'
import { m } from '#lib/paraglide/messages.js'

/** Outcome rows on a card; the others are counted. */
const ROWS_PER_CARD = 2

/**
 * A market in a row. `percent` is null without any price, as the placeholder of 50 % would look like an opinion. Prices in steps, null without an
 * offer; `result` is the name of the winning outcome.
 */
export interface MarketRow {
  slug: string
  /** Place in its event, to which its colour belongs. */
  place: number
  conditionId: string
  /** Token id of Yes. */
  yesToken: string
  name: string
  /** Path of its picture on this site. */
  picture: string
  outcomes: [string, string]
  percent: number | null
  yesAsk: number | null
  noAsk: number | null
  volume: number
  result: string | null
  /** Percentage points gained or lost within a day, if at least one. */
  change?: number
  /** Trading is over, and there is no result yet. */
  closed?: true
  /** Of a closed one: trading can go on. */
  paused?: true
  /** The event was searched for by its name. */
  found?: true
  /** Prices of the last week in steps, at equal distances, oldest first: of the first row of a card. */
  spark?: number[]
}

/** An event for lists: only what a card needs, as it is sent twice (as HTML and as data). Times in Unix milliseconds. */
export interface EventCard {
  id: string
  slug: string
  title: string
  /** Path of its picture on this site. */
  picture: string
  category: { slug: string; name: string } | null
  resolved: boolean
  volume: number
  endsAt: number | null
  rows: MarketRow[]
  /** Number of markets, including those without a row. */
  markets: number
  /** Whether the viewing member has saved it. */
  saved: boolean
  /** For a window of a price series: its start, the price to beat, and the latest price; null while unknown. */
  price?: { from: number; toBeat: number | null; now: number | null }
}

/**
 * An event in a row: the line below the title, and percentage points gained. Times in Unix milliseconds. The quote of `market` is followed; null
 * where none has a price.
 */
export interface EventRow {
  slug: string
  title: string
  picture?: string
  market: Pick<MarketRow, 'conditionId' | 'yesToken' | 'percent' | 'yesAsk' | 'noAsk' | 'result'> | null
  below?: string
  endsAt?: number | null
  change?: number
  /** Prices of the last week in steps, at equal distances, oldest first. */
  spark?: number[]
}

/** What a row follows of a market of which only the chance is known. */
export const followed = (conditionId: string, yesToken: string, percent: number | null): NonNullable<EventRow['market']> => ({
  ...{ conditionId, yesToken, percent },
  ...{ yesAsk: null, noAsk: null, result: null },
})

const ask = (price: number | null | undefined) => (price === null || price === undefined ? null : steps(price))

/** One market of an event as a row. */
export function marketRow(market: Market): MarketRow {
  const [yes, no] = market.outcomes
  const winner = market.outcomes.find((outcome) => outcome.is_winning_outcome)
  // The exchange takes no orders from the end on, though the market is active here until the next round of the sync.
  const ended = Date.parse(market.end_time) <= siteNow()
  return {
    slug: market.slug,
    place: market.position,
    conditionId: market.condition_id,
    yesToken: yes?.token_id ?? '',
    name: market.short_title || market.title,
    picture: market.picture,
    outcomes: [outcomeName(yes?.outcome_text ?? 'Yes'), outcomeName(no?.outcome_text ?? 'No')],
    percent: market.probability,
    yesAsk: ask(yes?.buy_price),
    noAsk: ask(no?.buy_price),
    volume: market.volume,
    result: market.is_resolved ? (winner ? outcomeName(winner.outcome_text) : m.result_split()) : null,
    ...(market.is_resolved || (market.is_active && !ended) ? {} : { closed: true }),
    ...(market.is_paused && !ended ? { paused: true } : {}),
  }
}

/** Order of rows: most likely first, then without a price, resolved last; equal ones by their place in the event. */
export const byChance = (a: Pick<MarketRow, 'result' | 'percent' | 'place'>, b: Pick<MarketRow, 'result' | 'percent' | 'place'>): number =>
  Number(a.result !== null) - Number(b.result !== null) || (b.percent ?? -1) - (a.percent ?? -1) || a.place - b.place

/** The likeliest rows, the one that a search found among them. */
function shownRows({ markets, matched_outcome }: Event, most: number): MarketRow[] {
  const all = markets.map(marketRow).sort(byChance)
  const found = all.find(({ conditionId }) => conditionId === matched_outcome?.condition_id)
  if (!found || all.length === 1) return all.slice(0, most)
  found.found = true
  const others = all.filter((row) => row !== found).slice(0, most - 1)
  return all.filter((row) => row === found || others.includes(row))
}

/** Makes the card of an event. */
export function eventCard(event: Event, rows = ROWS_PER_CARD): EventCard {
  const tag = event.tags.find((each) => each.slug === event.main_tag)
  return {
    id: event.id,
    slug: event.slug,
    title: event.title,
    picture: event.picture,
    category: tag ? { slug: tag.slug, name: tag.name } : null,
    resolved: event.status === 'resolved',
    volume: event.volume,
    endsAt: event.end_date === null ? null : Date.parse(event.end_date),
    rows: shownRows(event, rows),
    markets: event.markets.length,
    saved: event.is_bookmarked,
  }
}

/** The card of an event with one outcome alone; null for an unknown one. */
export function outcomeCard(event: Event, slug: string): EventCard | null {
  const market = event.markets.find((each) => each.slug === slug)
  if (!market) return null
  const row = marketRow(market)
  return { ...eventCard(event), resolved: row.result !== null, volume: row.volume, endsAt: Date.parse(market.end_time), rows: [row] }
}
