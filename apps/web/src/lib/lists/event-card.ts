import type { Event } from '@augury/wire/platform/event'
import type { Market } from '@augury/wire/platform/market'
import { steps } from '#lib/language/numbers.ts'
import { outcomeName } from '#lib/language/outcome-name.ts'
import { m } from '#lib/paraglide/messages.js'

/** Outcome rows on a card; the rest is counted. */
export const ROWS_PER_CARD = 3

/**
 * A market as a row shows it. `percent` is null while nobody has named a price: the half that stands in for it elsewhere would read as
 * an opinion. Prices in steps, null without an offer; `result` is the name of the winning outcome.
 */
export interface MarketRow {
  slug: string
  conditionId: string
  /** Token id of Yes. */
  yesToken: string
  name: string
  outcomes: [string, string]
  percent: number | null
  yesAsk: number | null
  noAsk: number | null
  volume: number
  result: string | null
  /** Points of chance gained or lost within a day, where that is one at least. */
  change?: number
  /** Trading is over, and the result is not there yet. */
  closed?: true
}

/** An event as lists show it: what a card needs and no more, because it travels twice (as HTML and as data). Times in Unix milliseconds. */
export interface EventCard {
  id: string
  slug: string
  title: string
  category: { slug: string; name: string } | null
  resolved: boolean
  volume: number
  endsAt: number | null
  rows: MarketRow[]
  /** Markets of the event, those without a row included. */
  markets: number
  /** Whether the member who looks at it has saved it. */
  saved: boolean
  /** For a window of a price series: when it begins, the price to beat, and the newest one; null while nobody knows them. */
  price?: { from: number; toBeat: number | null; now: number | null }
}

const ask = (price: number | null | undefined) => (price === null || price === undefined ? null : steps(price))

/** Whether anybody has offered or traded yet. */
const isPriced = ({ outcomes, volume }: Market): boolean =>
  volume > 0 || outcomes.some(({ buy_price, sell_price }) => buy_price !== null || sell_price !== null)

/** One market of an event as a row. */
export function marketRow(market: Market): MarketRow {
  const [yes, no] = market.outcomes
  const winner = market.outcomes.find((outcome) => outcome.is_winning_outcome)
  return {
    slug: market.slug,
    conditionId: market.condition_id,
    yesToken: yes?.token_id ?? '',
    name: market.short_title || market.title,
    outcomes: [outcomeName(yes?.outcome_text ?? 'Yes'), outcomeName(no?.outcome_text ?? 'No')],
    percent: isPriced(market) ? market.probability : null,
    yesAsk: ask(yes?.buy_price),
    noAsk: ask(no?.buy_price),
    volume: market.volume,
    result: market.is_resolved ? (winner ? outcomeName(winner.outcome_text) : m.result_split()) : null,
    ...(market.is_active || market.is_resolved ? {} : { closed: true }),
  }
}

/** Most likely first; then what has no price yet, and what is decided last. */
export const byChance = (a: MarketRow, b: MarketRow): number =>
  Number(a.result !== null) - Number(b.result !== null) || (b.percent ?? -1) - (a.percent ?? -1)

/** An event cut down to its card. */
export function eventCard(event: Event, rows = ROWS_PER_CARD): EventCard {
  const tag = event.tags.find((each) => each.slug === event.main_tag)
  return {
    id: event.id,
    slug: event.slug,
    title: event.title,
    category: tag ? { slug: tag.slug, name: tag.name } : null,
    resolved: event.status === 'resolved',
    volume: event.volume,
    endsAt: event.end_date === null ? null : Date.parse(event.end_date),
    rows: event.markets.map(marketRow).sort(byChance).slice(0, rows),
    markets: event.markets.length,
    saved: event.is_bookmarked,
  }
}
