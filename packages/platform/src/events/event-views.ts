import type { Event } from '@augury/wire/platform/event'
import DataLoader from 'dataloader'
import { asRow } from '../cache/json-bytes.ts'
import type { Platform } from '../site/platform.ts'
import { type EventRow, findEvents, marketsOf } from './event-rows.ts'
import { toEvent } from './event-view.ts'
import { inLanguage } from './in-language.ts'

/** Some events as lists show them, without anything personal. */
export async function viewsOf(platform: Platform, rows: EventRow[], locale: string): Promise<Event[]> {
  const ids = rows.map(({ id }) => id)
  const [markets, translated] = await Promise.all([marketsOf(platform.em(), ids, false), inLanguage(platform, rows, locale)])
  return translated.map((event) => toEvent(event, markets.get(event.id) ?? []))
}

/** The events with some ids, in this order. Each is kept as lists are, so that searches that find the same ones share the work. */
export async function keptViews(platform: Platform, ids: readonly string[], locale: string): Promise<Event[]> {
  const loader = new DataLoader((missing: readonly string[]) => readViews(platform, missing, locale), { cache: false })
  const views = await Promise.all(ids.map((id) => platform.lists.read(`event ${id} ${locale}`, ['lists'], () => loader.load(id))))
  return views.filter((view) => view !== null)
}

async function readViews(platform: Platform, ids: readonly string[], locale: string): Promise<(Event | null)[]> {
  const rows = await findEvents(platform.em(), [{ sql: 'event.id = any(?::uuid[])', values: [`{${ids.join(',')}}`] }], {
    limit: ids.length,
  })
  const views = new Map((await viewsOf(platform, rows, locale)).map((view) => [view.id, asRow(view)]))
  return ids.map((id) => views.get(id) ?? null)
}
