import { anyOf, tables } from '@augury/domain/platform/tables'
import type { Platform } from '../site/platform.ts'

/** How the site names a market. */
export interface MarketTexts {
  condition_id: string
  title: string
  slug: string
  is_active: boolean
  is_resolved: boolean
  icon_url: string
  event_slug: string
  event_title: string
}

/** The names of the given conditions' markets by id; those that the deployment does not list are missing. */
export async function marketTexts(platform: Platform, conditionIds: readonly string[]): Promise<Map<string, MarketTexts>> {
  if (conditionIds.length === 0) return new Map()
  const rows = await tables(platform.em())
    .selectFrom('market')
    .innerJoin('event', 'event.id', 'market.event_id')
    .select(['condition_id', 'market.title', 'market.slug', 'is_active', 'is_resolved', 'market.icon_url', 'event.slug as event_slug'])
    .select('event.title as event_title')
    .where('condition_id', '=', anyOf(conditionIds))
    .execute()
  return new Map(rows.map((row) => [row.condition_id, row]))
}
