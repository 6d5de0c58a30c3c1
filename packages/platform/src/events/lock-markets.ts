import type { EntityManager } from '@mikro-orm/postgresql'

/**
 * Locks markets until the end of the transaction. Every transaction that changes several markets, or a market and its event, locks markets
 * first, in the order of their ids, and events after them, so that none deadlocks.
 */
export async function lockMarkets(em: EntityManager, conditionIds: readonly string[]): Promise<void> {
  await em.execute(LOCK, [JSON.stringify(conditionIds)])
}

/** Locks the markets of an event, then the event. */
export async function lockEvent(em: EntityManager, id: string): Promise<void> {
  await em.execute('select from market where event_id = ? order by condition_id for no key update', [id])
  await em.execute('select from event where id = ? for update', [id])
}

const LOCK = `
  select from market where condition_id in (select jsonb_array_elements_text(?::jsonb)) order by condition_id for no key update`
