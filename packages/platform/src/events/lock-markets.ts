import { anyOf, tables } from '@augury/domain/platform/tables'
import type { EntityManager } from '@mikro-orm/postgresql'

/**
 * Locks markets until the end of the transaction. Every transaction that changes several markets, or a market and its event, locks markets
 * first, in the order of their ids, and events after them, so that none deadlocks.
 */
export async function lockMarkets(em: EntityManager, conditionIds: readonly string[]): Promise<void> {
  await tables(em)
    .selectFrom('market')
    .select('condition_id')
    .where('condition_id', '=', anyOf(conditionIds))
    .orderBy('condition_id')
    .forNoKeyUpdate()
    .execute()
}

/** Locks the markets of an event, then the event. */
export async function lockEvent(em: EntityManager, id: string): Promise<void> {
  await tables(em).selectFrom('market').select('condition_id').where('event_id', '=', id).orderBy('condition_id').forNoKeyUpdate().execute()
  await tables(em).selectFrom('event').select('id').where('id', '=', id).forUpdate().execute()
}
