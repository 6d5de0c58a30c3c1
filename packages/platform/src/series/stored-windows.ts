import { anyOf, tables } from '@augury/domain/platform/tables'
import type { EntityManager } from '@mikro-orm/postgresql'

/** The slugs of those windows whose markets the exchange knows. */
export const registeredAmong = (em: EntityManager, slugs: readonly string[]) =>
  tables(em)
    .selectFrom('event')
    .innerJoin('market', 'market.event_id', 'event.id')
    .select('event.slug')
    .where('event.slug', '=', anyOf(slugs))
    .where('registered_at', 'is not', null)
    .execute()

/** Deletes those of some windows that have no market left, with their titles. */
export async function dropEmpty(em: EntityManager, ids: readonly string[]): Promise<void> {
  const gone = await tables(em)
    .deleteFrom('event')
    .where('id', '=', anyOf(ids))
    .where(({ not, exists, selectFrom }) => not(exists(selectFrom('market').whereRef('event_id', '=', 'event.id'))))
    .returning('id')
    .execute()
  await tables(em)
    .deleteFrom('translation')
    .where('kind', '=', 'event')
    .where('subject', '=', anyOf(gone.map(({ id }) => id)))
    .execute()
}
