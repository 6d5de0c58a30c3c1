import type { ChanceLine, Event } from '@augury/wire/platform/event'
import type { Line } from '#lib/charts/chart.ts'
import { outcomeName } from '#lib/language/outcome-name.ts'
import { type EventCard, type EventRow, eventCard, type MarketRow } from './event-card.ts'

/** Lines initially shown in a chart. */
const LINES_SHOWN = 4

/** An event that leads the home page, with the lines of its chart. */
export interface Featured {
  event: EventCard
  lines: Line[]
}

/** Names the lines of an event's leading markets. One point suffices, as the chart extends it to now. */
export function chartLines(event: Event, lines: ChanceLine[]): Line[] {
  return lines
    .flatMap(({ condition_id, history }) => {
      const market = event.markets.find((each) => each.condition_id === condition_id)
      if (!market || history.length === 0) return []
      const name = event.markets.length === 1 ? outcomeName(market.outcomes[0]?.outcome_text ?? 'Yes') : market.short_title || market.title
      return [{ slug: market.slug, name, place: market.position, points: history }]
    })
    .slice(0, LINES_SHOWN)
}

/** The markets whose lines `featured` needs. */
export const featuredRows = (event: Event) => eventCard(event, LINES_SHOWN).rows

/** Lines in the order of the rows; markets without a row have none. */
export const inOrderOf = (rows: readonly MarketRow[], lines: readonly Line[]): Line[] =>
  rows.flatMap((row) => lines.filter(({ slug }) => slug === row.slug))

export const featured = (event: Event, lines: ChanceLine[]): Featured => ({
  event: eventCard(event, LINES_SHOWN),
  lines: inOrderOf(featuredRows(event), chartLines(event, lines)),
})

/** The row of an event in a list of those that end soon: that of its likeliest market. */
export function soonRow(event: Event): EventRow {
  const { slug, title, picture, markets, rows, endsAt } = eventCard(event, 1)
  const [first] = rows
  return { slug, title, ...(picture ? { picture } : {}), endsAt, market: first ?? null, below: markets > 1 ? (first?.name ?? '') : '' }
}
