import type { ChanceLine, Event } from '@augury/wire/platform/event'
import type { Line } from '#lib/charts/chart.ts'
import { outcomeName } from '#lib/language/outcome-name.ts'
import { type EventCard, eventCard } from './event-card.ts'

/** Lines that a chart shows at first. */
export const LINES_SHOWN = 4

/** What stands above the list on the bare home page: the leading event with its lines, and what ends next. */
export interface Featured {
  event: EventCard
  lines: Line[]
  soon: EventCard[]
}

/** Names the lines of an event's leading markets. One point is enough: the chart goes on from it to now. */
export function chartLines(event: Event, lines: ChanceLine[]): Line[] {
  return lines
    .flatMap(({ condition_id, history }) => {
      const market = event.markets.find((each) => each.condition_id === condition_id)
      if (!market || history.length === 0) return []
      const name = event.markets.length === 1 ? outcomeName(market.outcomes[0]?.outcome_text ?? 'Yes') : market.short_title || market.title
      return [{ slug: market.slug, name, points: history }]
    })
    .slice(0, LINES_SHOWN)
}

/** The markets that stand above the list: what `featured` is given the lines of. */
export const featuredRows = (event: Event) => eventCard(event, LINES_SHOWN).rows

/** The rows name the lines: there is none for a market without a row, and they stand in the order of the rows. */
export function featured(event: Event, lines: ChanceLine[], soon: Event[]): Featured {
  const drawn = chartLines(event, lines)
  return {
    event: eventCard(event, LINES_SHOWN),
    lines: featuredRows(event).flatMap((row) => drawn.filter(({ slug }) => slug === row.slug)),
    soon: soon.map((each) => eventCard(each, 1)),
  }
}
