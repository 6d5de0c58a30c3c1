import type { EntityManager } from '@mikro-orm/postgresql'

/**
 * Locks markets until the transaction ends. Whoever changes several, or one and what its event says, locks markets first, in the order of
 * their ids, and events only then: two who want the same ones wait for each other and never in a circle.
 */
export async function lockMarkets(em: EntityManager, conditionIds: readonly string[]): Promise<void> {
  await em.execute(LOCK, [JSON.stringify(conditionIds)])
}

/** Locks the markets of an event, and then the event. */
export async function lockEvent(em: EntityManager, id: string): Promise<void> {
  await em.execute('select from market where event_id = ? order by condition_id for no key update', [id])
  await em.execute('select from event where id = ? for update', [id])
}

const LOCK = `
  select from market where condition_id in (select jsonb_array_elements_text(?::jsonb)) order by condition_id for no key update`
