import type { EntityManager } from '@mikro-orm/postgresql'

/**
 * Derives an event's status, counts, volumes and liquidity from its markets. Call it in the transaction that changed the markets.
 * No markets → draft; none unresolved → resolved; any active → active; else archived.
 */
export async function refreshEventTotals(em: EntityManager, eventIds: readonly string[]): Promise<void> {
  if (eventIds.length === 0) return
  const ids = JSON.stringify([...new Set(eventIds)])
  // A statement of its own: the next one sees the markets of the transactions that this lock waited for.
  await em.execute(LOCK, [ids])
  await em.execute(REFRESH, [ids])
}

/** Open interest of all markets in millionths; what was converted in an event counts once. */
export const OPEN_INTEREST = `
  select coalesce(sum(open_interest), 0)
  from (
    select sum(open_interest) + max(event_interest) as open_interest from market
    where open_interest > 0 or event_interest > 0 group by event_id
  ) event`

const THESE = 'id in (select value::uuid from jsonb_array_elements_text(?::jsonb))'

// In the order of their ids, so that two jobs never deadlock.
const LOCK = `select from event where ${THESE} order by id for update`

const REFRESH = `
  with totals as (
    select event.id,
      count(condition_id) as total,
      count(*) filter (where is_active) as active,
      count(condition_id) filter (where not is_resolved) as unresolved,
      coalesce(sum(volume), 0) as volume, coalesce(sum(volume_24h), 0) as volume_24h, coalesce(sum(liquidity), 0) as liquidity
    from (select id from event where ${THESE}) event left join market on event_id = event.id
    group by event.id
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
