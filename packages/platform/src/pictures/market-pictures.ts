import { anyOf, tables } from '@augury/domain/platform/tables'
import { sql } from 'kysely'
import type { Site } from '../site/site.ts'
import { pictureOfEvent, pictureOfMarket } from './pictures.ts'

/**
 * Pictures of a market and its event, as paths; `icon` is the address that was stored with the market, mostly empty. `name` is the market's in its
 * event, empty where it is the only one; `title` is the event's.
 */
export interface MarketPictures {
  market: string
  event: string
  icon: string
  name: string
  title: string
}

/** Reads the pictures of some markets by condition id, in lower case. Unknown markets are left out. */
export async function picturesOfMarkets(site: Pick<Site, 'em'>, conditionIds: Iterable<string>): Promise<Map<string, MarketPictures>> {
  const asked = [...new Set([...conditionIds].map((id) => id.toLowerCase()))]
  if (asked.length === 0) return new Map()
  const rows = await markets(site).where('condition_id', '=', anyOf(asked)).execute()
  return new Map(rows.map((row) => [row.condition_id, picturesOf(row)]))
}

/** Reads pictures by the path of a page: the slug of an event, or of an event and a market. Unknown ones are left out. */
export async function picturesAt(site: Pick<Site, 'em'>, paths: Iterable<string>): Promise<Map<string, string>> {
  const asked = [...new Set(paths)]
  if (asked.length === 0) return new Map()
  const events = asked.map((path) => path.split('/')[0]!)
  const rows = await markets(site).where('event.slug', '=', anyOf(events)).execute()
  const found = new Map<string, string>()
  for (const row of rows) {
    const { event, market } = picturesOf(row)
    found.set(row.event_slug, event)
    found.set(`${row.event_slug}/${row.slug}`, market)
  }
  return found
}

function picturesOf({ short_title, market_title, icon, count, event_icon, title, tags }: Row): MarketPictures {
  const event = { icon_url: event_icon, title, tags }
  const market = { name: short_title || market_title, icon_url: icon, single: count === 1 }
  const drawn = { market: pictureOfMarket(market, event), event: pictureOfEvent(event) }
  return { ...drawn, icon, title, name: market.single ? '' : market.name }
}

/** Returns the picture of a market among those that were read; of one that the site does not know, one drawn by its title. */
export const pictureIn = (pictures: ReadonlyMap<string, MarketPictures>, market: { conditionId: string; title: string }): string =>
  pictures.get(market.conditionId.toLowerCase())?.market ?? pictureOfEvent({ title: market.title, icon_url: '', tags: [] })

/** SQL of the slugs of an event's tags, the main category first. */
export const TAGS_OF_EVENT = `array(
  select slug from event_tag join tag on tag.id = tag_id where event_id = event.id order by tag.id is not distinct from event.main_tag_id desc, position
)`

/** The markets with what their pictures are chosen by. */
const markets = (site: Pick<Site, 'em'>) =>
  tables(site.em())
    .selectFrom('market')
    .innerJoin('event', 'event.id', 'market.event_id')
    .select(['condition_id', 'market.slug', 'event.slug as event_slug', 'short_title', 'market.title as market_title'])
    .select(['market.icon_url as icon', 'event.icon_url as event_icon', 'event.title', 'event.total_markets_count as count'])
    .select(sql<string[]>`${sql.raw(TAGS_OF_EVENT)}`.as('tags'))

type Row = Awaited<ReturnType<ReturnType<typeof markets>['execute']>>[number]
