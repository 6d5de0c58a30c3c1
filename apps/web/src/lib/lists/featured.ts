import type { ChanceLine, Event } from '@augury/wire/platform/event'
import { type DrawnChart, drawChart } from '#lib/charts/draw-chart.ts'
import { type Line, upTo } from '#lib/charts/lines.ts'
import { outcomeName } from '#lib/language/outcome-name.ts'
import { type EventCard, type EventRow, eventCard, type MarketRow } from './event-card.ts'

/** Lines initially shown in a chart. */
const LINES_SHOWN = 4

/** An event that leads the home page, with its chart as drawn; null without a price. */
export interface Featured {
  event: EventCard
  chart: DrawnChart | null
}

/** Names the lines of an event's leading markets. One point suffices, as the chart extends it to now. */
export function chartLines(event: Event, lines: ChanceLine[]): Line[] {
  return lines
    .flatMap(({ condition_id, history, earlier }) => {
      const market = event.markets.find((each) => each.condition_id === condition_id)
      if (!market || history.length === 0) return []
      const name = event.markets.length === 1 ? outcomeName(market.outcomes[0]?.outcome_text ?? 'Yes') : market.short_title || market.title
      return [{ slug: market.slug, name, place: market.position, points: history, earlier }]
    })
    .slice(0, LINES_SHOWN)
}

/** The card of a leading event, whose rows are the lines of its chart. */
export const featuredCard = (event: Event): EventCard => eventCard(event, LINES_SHOWN)

/** Lines in the order of the rows; markets without a row have none. */
export const inOrderOf = (rows: readonly MarketRow[], lines: readonly Line[]): Line[] =>
  rows.flatMap((row) => lines.filter(({ slug }) => slug === row.slug))

/** The event with a chart of its leading markets up to `now`; `card` is that of `featuredCard`. */
export function featured(event: Event, card: EventCard, lines: ChanceLine[], now: number): Featured {
  const percents = new Map(card.rows.map(({ slug, percent }) => [slug, percent]))
  const drawn = upTo(inOrderOf(card.rows, chartLines(event, lines)), now, percents)
  return { event: card, chart: drawn.length === 0 ? null : drawChart(drawn, now) }
}

/** The row of an event in a list of those that end soon: that of its likeliest market. */
export function soonRow(event: Event): EventRow {
  const { slug, title, picture, markets, rows, endsAt } = eventCard(event, 1)
  const [first] = rows
  return { slug, title, picture, endsAt, market: first ?? null, below: markets > 1 ? (first?.name ?? '') : '' }
}
