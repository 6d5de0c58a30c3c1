import { chancesDayAgo } from '@augury/platform/events/movers'
import { sparks } from '@augury/platform/events/sparks'
import { eventPrices } from '@augury/platform/prices/event-prices'
import type { Platform } from '@augury/platform/site/platform'
import type { Event } from '@augury/wire/platform/event'
import { wholePoints } from '#lib/language/numbers.ts'
import { eventCard } from '#lib/lists/event-card.ts'
import { type EventPage, eventPage } from '#lib/lists/event-page.ts'
import type { ListQuery } from '#lib/lists/list-query.ts'

/** A page of cards, `pinned` events first, with daily changes of their rows, a spark line of the first, and the prices of series windows. */
export async function listPage(platform: Platform, query: ListQuery, read: Event[], pinned: Event[] = []): Promise<EventPage> {
  const page = eventPage(query, read, platform.now().getTime())
  const first = new Set(pinned.map(({ slug }) => slug))
  page.events = [...pinned.map((event) => eventCard(event)), ...page.events.filter(({ slug }) => !first.has(slug))]
  const rows = page.events.flatMap((event) => event.rows)
  const windows = new Map([...read, ...pinned].filter(({ series_slug }) => series_slug !== null).map((event) => [event.slug, event]))
  const leading = page.events.flatMap(({ slug, rows: [row] }) => (row && !windows.has(slug) ? [row] : []))
  const [past, prices, lines] = await Promise.all([
    chancesDayAgo(
      platform,
      rows.map(({ conditionId }) => conditionId),
    ),
    eventPrices(platform, [...windows.keys()]),
    sparks(
      platform,
      leading.map(({ conditionId }) => conditionId),
    ),
  ])
  for (const event of page.events) {
    const [price, from] = [prices.get(event.slug), windows.get(event.slug)?.start_date]
    if (price && from) event.price = { ...price, from: Date.parse(from) }
  }
  for (const row of leading) {
    const spark = lines.get(row.conditionId)
    if (spark) row.spark = spark
  }
  for (const row of rows) {
    const before = past.get(row.conditionId)
    const change = before === undefined || row.percent === null ? 0 : wholePoints(row.percent - before)
    if (change !== 0) row.change = change
  }
  return page
}
