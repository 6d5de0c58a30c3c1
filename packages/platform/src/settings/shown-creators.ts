import { anyOf, tables } from '@augury/domain/platform/tables'
import type { EntityManager } from '@mikro-orm/postgresql'
import { readSettings } from './site-settings.ts'

/** The creators whose markets the deployment shows, in lower case: those in its settings, by default its own wallet. */
export async function shownCreators(em: EntityManager, own: string): Promise<ReadonlySet<string>> {
  const { general } = await readSettings(em, ['general'])
  const named = general.values.marketCreators
  return new Set((named.length > 0 ? named : [own]).map((address) => address.toLowerCase()))
}

/** Marks which events are by a shown creator. Those of others are in no list; their pages stay for those who hold shares. */
export async function markShown(em: EntityManager, creators: ReadonlySet<string>): Promise<void> {
  await tables(em)
    // Locks events in the order of their ids, as jobs do, so that none deadlocks.
    .with('marked', (query) =>
      query
        .selectFrom('event')
        .select('id')
        .where((eb) => eb('is_shown', '<>', eb.parens('creator', '=', anyOf([...creators])).$castTo<boolean>()))
        .orderBy('id')
        .forNoKeyUpdate(),
    )
    .updateTable('event')
    .from('marked')
    .set((eb) => ({ is_shown: eb.not('is_shown') }))
    .whereRef('event.id', '=', 'marked.id')
    .execute()
}
