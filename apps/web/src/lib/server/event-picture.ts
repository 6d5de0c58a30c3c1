import type { Event } from '@augury/wire/platform/event'
import type { Line } from '#lib/charts/lines.ts'
import { chanceSaid, outcomeSaid } from '#lib/event/named-outcome.ts'
import { volume } from '#lib/language/numbers.ts'
import { namedDay } from '#lib/language/times.ts'
import { type EventCard, eventCard, type MarketRow, marketRow } from '#lib/lists/event-card.ts'
import { m } from '#lib/paraglide/messages.js'
import type { SharePicture } from './draw-picture.ts'

/** Content of an image; `art` is the path of the picture of what it is about. */
type Content = Omit<SharePicture, 'site' | 'notice' | 'picture'> & { art: string }

/** The outcome of a market that a link is about. */
export type Side = 0 | 1

const rowOf = (row: MarketRow, name: string, side: Side = 0) => {
  const percent = side === 0 || row.percent === null ? row.percent : 100 - row.percent
  return { name, chance: row.result ?? chanceSaid(percent), percent }
}
const ownName = (row: MarketRow, side: Side): string => (row.result === null ? row.outcomes[side] : m.resolved())
const footOf = (traded: number, endsAt: number | null): string =>
  [volume(traded), endsAt === null ? '' : namedDay(endsAt)].filter(Boolean).join('  ·  ')

/** The sharing image of an event, with its leading outcomes; of its only market, with the outcome that the link names. */
export function eventPicture(event: Event, side: Side = 0): Content {
  const card = eventCard(event)
  const rows = card.rows.map((row) => (card.markets > 1 ? rowOf(row, row.name) : rowOf(row, ownName(row, side), side)))
  return { title: card.title, art: card.picture, rows, foot: footOf(card.volume, card.endsAt) }
}

/**
 * The sharing image of one market of an event, with the outcome that the link names; null for an unknown market. That of an event's only market
 * is the event's.
 */
export function marketPicture(event: Event, slug: string, side: Side = 0): Content | null {
  const market = event.markets.find((each) => each.slug === slug)
  if (!market) return null
  if (event.markets.length === 1) return eventPicture(event, side)
  const row = marketRow(market)
  const rows = [rowOf(row, ownName(row, side), side)]
  return { title: row.name, art: row.picture, about: event.title, rows, foot: footOf(row.volume, Date.parse(market.end_time)) }
}

/** The card of one outcome and its lines as those of No, whose chance is the rest of Yes'. */
export function ofNo(card: EventCard, lines: readonly Line[]): { card: EventCard; lines: Line[] } {
  const single = card.markets === 1
  const rows = card.rows.map((row) => {
    const [yes, no] = row.outcomes
    const outcomes: [string, string] = [no, yes]
    return { ...row, name: outcomeSaid(row, { single, shown: 1 }), outcomes, percent: row.percent === null ? null : 100 - row.percent }
  })
  return {
    card: { ...card, rows },
    lines: lines.map((line) => ({ ...line, points: line.points.map(({ t, p }) => ({ t, p: 1 - p })) })),
  }
}

/** The outcome that an address names, and what distinguishes its picture from that of the other one. */
export const sideOf = ({ searchParams }: URL): { side: Side; mark: string } =>
  searchParams.get('outcome') === 'no' ? { side: 1, mark: '?no' } : { side: 0, mark: '' }
