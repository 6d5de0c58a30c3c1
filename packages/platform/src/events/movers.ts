import { picturesOfMarkets } from '../pictures/market-pictures.ts'
import { earlierOf } from '../prices/earlier-prices.ts'
import type { Platform } from '../site/platform.ts'
import { localeOf, ORIGINAL, translationsOf } from '../translations/translations.ts'
import { PRICED } from './priced.ts'

/** A market whose displayed price moved within a day: the chance of Yes, and its change in percentage points. */
export interface Mover {
  event_slug: string
  title: string
  /** The market's short title when its event has several markets, else null. */
  name: string | null
  /** Path of its picture at the site, never empty. */
  picture: string
  chance: number
  change: number
  condition_id: string
  /** Token id of Yes. */
  yes_token: string | null
}

/** Number of events considered: the busiest, whose prices mean something. */
const AMONG = 100
const MOVERS = 3
/** Smallest change in steps that counts as a move. */
const LEAST = 100
const DAY_MS = 86_400_000

interface Row {
  id: string
  event_slug: string
  title: string
  name: string | null
  price: string
  change: string
  condition_id: string
  yes_token: string | null
}

/**
 * The markets that moved most within a day, at most one per event, largest move first. A younger market is compared with its first price.
 * Windows of a price series are left out: they go from 0.5 to 0 or 1 all day long.
 */
export function movers(platform: Platform, { locale = ORIGINAL }: { locale?: string | undefined } = {}): Promise<Mover[]> {
  return platform.lists.read(`movers ${localeOf(locale)}`, ['lists'], async () => {
    const dayAgo = new Date(platform.now().getTime() - DAY_MS)
    const rows: Row[] = await platform.em().execute(MOVED, [AMONG, dayAgo, LEAST, MOVERS])
    const [titles, pictures] = await Promise.all([
      translationsOf(
        platform,
        'event',
        rows.map(({ id }) => id),
        locale,
      ),
      picturesOfMarkets(
        platform,
        rows.map(({ condition_id }) => condition_id),
      ),
    ])
    return rows.map(({ id, event_slug, title, name, price, change, condition_id, yes_token }) => ({
      event_slug,
      title: titles.get(id) ?? title,
      name,
      picture: pictures.get(condition_id)?.[name === null ? 'event' : 'market'] ?? '',
      chance: Number(price) / 100,
      change: Number(change) / 100,
      condition_id,
      yes_token,
    }))
  })
}

/**
 * Chances in percent that markets had a day ago, or first when they are younger, by condition; without those that have no price yet, or are
 * resolved. The gain on a list and on a page must be measured from the same.
 */
export async function chancesDayAgo(platform: Platform, conditions: readonly string[]): Promise<Map<string, number>> {
  const name = `day ago ${conditions.map((id) => id.slice(2, 18)).join()}`
  const rows = await platform.lists.read(name, ['lists'], (): Promise<{ condition_id: string; price: string | null }[]> => {
    const dayAgo = new Date(platform.now().getTime() - DAY_MS)
    return platform.em().execute(DAY_AGO, [dayAgo, JSON.stringify(conditions)])
  })
  return new Map(rows.flatMap(({ condition_id, price }) => (price === null ? [] : [[condition_id, Number(price) / 100]])))
}

// The 0.5 that stood in before the first order or trade is no price to have moved from.
const named = 'market_condition_id = condition_id and (price <> 5000 or minute > opening.minute)'

/** SQL of a market's price a day ago, or of its first price when it is younger. */
const PAST = `
    cross join lateral (select minute from price_point where market_condition_id = condition_id order by minute limit 1) opening
    cross join lateral (select ?::timestamptz as at) day_ago
    cross join lateral (
      select coalesce(
        (select price from price_point where ${named} and minute <= day_ago.at order by minute desc limit 1),
        (select price from ${earlierOf('condition_id')} earlier order by at > day_ago.at, abs(extract(epoch from at - day_ago.at)) limit 1),
        (select price from price_point where ${named} order by minute limit 1)
      ) as price
    ) past`

const DAY_AGO = `
  select condition_id, past.price from market ${PAST}
  where condition_id in (select jsonb_array_elements_text(?::jsonb)) and not is_resolved and ${PRICED}`

const MOVED = `
  with busiest as (
    select id, slug, title from event
    where status = 'active' and is_shown and hidden_at is null and series_slug is null
      and id not in (select event_id from event_tag join tag on tag.id = tag_id where tag.hide_events)
    order by volume_24h desc, volume desc, ranking_seed desc, id limit ?
  ), moved as (
    select distinct on (busiest.id) busiest.id, busiest.slug as event_slug, busiest.title,
      case when count(*) over (partition by busiest.id) > 1 then coalesce(nullif(market.short_title, ''), market.title) end as name,
      market.price, market.price - past.price as change, condition_id, yes_token
    from busiest
    join market on event_id = busiest.id and is_active and not is_resolved and ${PRICED} ${PAST}
    order by busiest.id, abs(market.price - past.price) desc nulls last, condition_id
  )
  select * from moved where abs(change) >= ? order by abs(change) desc, event_slug limit ?`
