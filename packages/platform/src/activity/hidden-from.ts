import { anyOf, tables } from '@augury/domain/platform/tables'
import type { Viewer } from '../authorization/viewer.ts'
import { listOwnActivity } from '../portfolio/funds.ts'
import type { Site } from '../site/site.ts'

/** An event by its slug, or markets by their condition ids. */
export type Named = { event: string } | { markets: readonly string[] }

/** Condition ids that a request to the exchange may name at once. */
const ASKED_AT_ONCE = 100

/**
 * Returns the condition ids of hidden events that a viewer must not learn about, among those that are named. Comments, trades and holders of a
 * hidden event are for admins and for members who traded there; for everybody else they are those of an unknown event. Its page and prices
 * stay open to readers who have the link.
 */
export async function hiddenFrom(site: Site, viewer: Viewer, named: Named): Promise<ReadonlySet<string>> {
  const hidden = tables(site.em())
    .selectFrom('market')
    .innerJoin('event', 'event.id', 'market.event_id')
    .select(['event.id as event', 'condition_id as condition'])
    .where('hidden_at', 'is not', null)
  const rows = await ('event' in named
    ? hidden.where('event.slug', '=', named.event)
    : hidden.where('event.id', 'in', (eb) =>
        eb
          .selectFrom('market')
          .select('event_id')
          .where('condition_id', '=', anyOf(named.markets.map((id) => id.toLowerCase()))),
      )
  ).execute()
  if (viewer.kind === 'member' && viewer.isAdmin) return new Set()
  const events = [...Map.groupBy(rows, ({ event }) => event).values()].map((markets) => markets.map(({ condition }) => condition))
  const closed = await Promise.all(events.map(async (markets) => ((await hasTraded(site, viewer, markets)) ? [] : markets)))
  return new Set(closed.flat())
}

/** Whether a viewer ever had shares of one of these markets. */
async function hasTraded(site: Site, viewer: Viewer, markets: readonly string[]): Promise<boolean> {
  if (viewer.kind !== 'member') return false
  for (let at = 0; at < markets.length; at += ASKED_AT_ONCE) {
    const query = { market: markets.slice(at, at + ASKED_AT_ONCE), type: [], limit: 1, offset: 0 }
    if ((await listOwnActivity(site, viewer, { query })).length > 0) return true
  }
  return false
}
