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
  await em.execute(MARK, [JSON.stringify([...creators])])
}

// Locks events in the order of their ids, as jobs do, so that none deadlocks.
const MARK = `
  with marked as (
    select id from event where is_shown <> (creator in (select jsonb_array_elements_text(?::jsonb))) order by id for no key update
  )
  update event set is_shown = not is_shown from marked where event.id = marked.id`
