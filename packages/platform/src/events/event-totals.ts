import type { EntityManager } from '@mikro-orm/postgresql'

/**
 * Derives an event's status, counts, volumes and liquidity from its markets. Call it in the transaction that changed the markets.
 * No markets → draft; none unresolved → resolved; any active → active; else archived.
 */
export async function refreshEventTotals(em: EntityManager, eventIds: readonly string[]): Promise<void> {
  if (eventIds.length === 0) return
  await em.execute(REFRESH, [JSON.stringify([...new Set(eventIds)])])
}

/** Open interest of all markets in millionths; what was converted in an event counts once. */
export const OPEN_INTEREST = `
  select coalesce(sum(open_interest), 0)
  from (select sum(open_interest) + max(event_interest) as open_interest from market group by event_id) event`

// Locks events in the order of their ids, so that two jobs never deadlock.
const REFRESH = `
  with locked as (select id from event where id in (select value::uuid from jsonb_array_elements_text(?::jsonb)) order by id for update),
  totals as (
    select locked.id,
      count(condition_id) as total,
      count(*) filter (where is_active) as active,
      count(condition_id) filter (where not is_resolved) as unresolved,
      coalesce(sum(volume), 0) as volume, coalesce(sum(volume_24h), 0) as volume_24h, coalesce(sum(liquidity), 0) as liquidity
    from locked left join market on event_id = locked.id
    group by locked.id
  ),
  derived as (
    select *, case when total = 0 then 'draft' when unresolved = 0 then 'resolved' when active > 0 then 'active' else 'archived' end as status
    from totals
  )
  update event set
    status = derived.status,
    resolved_at = case when derived.status = 'resolved' then coalesce(event.resolved_at, now()) end,
    active_markets_count = derived.active,
    total_markets_count = derived.total,
    volume = derived.volume, volume_24h = derived.volume_24h, liquidity = derived.liquidity,
    updated_at = now()
  from derived
  where event.id = derived.id and (event.status, event.active_markets_count, event.total_markets_count, event.volume, event.volume_24h, event.liquidity)
    is distinct from (derived.status, derived.active, derived.total, derived.volume, derived.volume_24h, derived.liquidity)`
