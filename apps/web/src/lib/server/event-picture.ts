import type { Event } from '@augury/wire/platform/event'
import { chance, volume } from '#lib/language/numbers.ts'
import { day } from '#lib/language/times.ts'
import { eventCard, type MarketRow, marketRow } from '#lib/lists/event-card.ts'
import { m } from '#lib/paraglide/messages.js'
import type { SharePicture } from './draw-picture.ts'

type Content = Omit<SharePicture, 'site' | 'notice'>

const rowOf = (row: MarketRow, name: string) => ({ name, chance: row.result ?? chance(row.percent), percent: row.percent })
const ownName = (row: MarketRow): string => (row.result === null ? row.outcomes[0] : m.resolved())
const footOf = (traded: number, endsAt: number | null): string =>
  [volume(traded), endsAt === null ? '' : day(endsAt)].filter(Boolean).join('  ·  ')

/** The sharing image of an event, with its leading outcomes. */
export function eventPicture(event: Event): Content {
  const card = eventCard(event)
  const rows = card.rows.map((row) => rowOf(row, card.markets > 1 ? row.name : ownName(row)))
  return { title: card.title, rows, foot: footOf(card.volume, card.endsAt) }
}

/** The sharing image of one market of an event; null for an unknown one. That of an event's only market is the event's. */
export function marketPicture(event: Event, slug: string): Content | null {
  const market = event.markets.find((each) => each.slug === slug)
  if (!market) return null
  if (event.markets.length === 1) return eventPicture(event)
  const row = marketRow(market)
  return { title: row.name, about: event.title, rows: [rowOf(row, ownName(row))], foot: footOf(row.volume, Date.parse(market.end_time)) }
}
