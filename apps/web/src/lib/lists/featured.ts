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

export const featured = (event: Event, lines: ChanceLine[], soon: Event[]): Featured => ({
  event: eventCard(event, LINES_SHOWN),
  lines: chartLines(event, lines),
  soon: soon.map((each) => eventCard(each, 1)),
})
