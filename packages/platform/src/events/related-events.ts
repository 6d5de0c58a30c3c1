import type { Input, Output } from '@augury/wire/operation'
import type { platformOperations } from '@augury/wire/platform/operations'
import { TAGS_OF_EVENT } from '../pictures/market-pictures.ts'
import { pictureOfEvent } from '../pictures/pictures.ts'
import type { Platform } from '../site/platform.ts'
import { localeOf, translationsOf } from '../translations/translations.ts'
import { SEEN } from './list-events.ts'
import { PRICED } from './priced.ts'
import { TAG_SLUGS } from './tag-slugs.ts'

type Operation = typeof platformOperations.relatedEvents

/** Number of related events on an event page. */
const RELATED = 3

interface Row {
  id: string
  slug: string
  title: string
  icon_url: string
  tags: string[]
  common: number
  price: string | null
  name: string | null
  condition_id: string | null
  yes_token: string | null
}

/**
 * The active events that share the most tags with this one, among equals the busiest; none for an unknown event. Markets without a price do
 * not count for an event's chance.
 */
export function relatedEvents(platform: Platform, input: Pick<Input<Operation>, 'params' | 'query'>): Promise<Output<Operation>> {
  const { params, query } = input
  const name = `related ${JSON.stringify([params.slug, query.tag, localeOf(query.locale)])}`
  return platform.lists.read(name, ['lists'], () => read(platform, input))
}

async function read(platform: Platform, { params, query }: Pick<Input<Operation>, 'params' | 'query'>): Promise<Output<Operation>> {
  const rows: Row[] = await platform.em().execute(NEIGHBOURS, [params.slug, query.tag ?? null, query.tag ?? null, RELATED])
  const titles = await translationsOf(
    platform,
    'event',
    rows.map(({ id }) => id),
    localeOf(query.locale),
  )
  return rows.map(({ id, slug, title, icon_url, tags, common, price, name, condition_id, yes_token }) => ({
    id,
    slug,
    title: titles.get(id) ?? title,
    icon_url,
    picture: pictureOfEvent({ title, icon_url, tags }),
    common_tags_count: Number(common),
    chance: price === null ? null : Number(price) / 100,
    leading: name,
    leading_market: condition_id === null || yes_token === null ? null : { condition_id, token_id: yes_token },
  }))
}

const ORDER = 'common desc, event.volume_24h desc, event.volume desc, event.ranking_seed desc, event.id'

/** The few events are chosen first, from an index that holds all that this takes: their rows and markets are then all that is read. */
const NEIGHBOURS = `
  select event.id, event.slug, event.title, event.icon_url, ${TAGS_OF_EVENT} as tags, chosen.common, leader.price, leader.name, leader.condition_id, leader.yes_token
  from (
    select event.id, shared.common
    from (
      select theirs.event_id, count(*) as common
      from event self
      join event_tag mine on mine.event_id = self.id
      join event_tag theirs on theirs.tag_id = mine.tag_id and theirs.event_id <> self.id
      where self.slug = ?
      group by theirs.event_id
    ) shared
    join event on event.id = shared.event_id and event.status = 'active' and ${SEEN.sql}
    where ?::text is null
      or exists (select from event_tag join ${TAG_SLUGS} using (tag_id) where event_id = event.id and slug = ?)
    order by ${ORDER}
    limit ?
  ) chosen
  join event using (id)
  left join lateral (
    select price, case when event.total_markets_count > 1 then coalesce(nullif(short_title, ''), title) end as name, condition_id, yes_token
    from market
    where event_id = event.id and is_active and ${PRICED} and exists (select from price_point where market_condition_id = condition_id)
    order by price desc, listing_price desc, position limit 1
  ) leader on true
  order by ${ORDER}`
