import { anyOf, tables } from '@augury/domain/platform/tables'
import type { Input, Output } from '@augury/wire/operation'
import type { adminCategoryOperations } from '@augury/wire/platform/admin-categories'
import { ServiceError } from '@augury/wire/service-error'
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { runSensitive } from '../authorization/run-as-admin.ts'
import type { Admin } from '../authorization/viewer.ts'
import { keepSlug } from '../events/tag-slugs.ts'
import type { Site } from '../site/site.ts'
import { lockTree, oneCategory } from './categories.ts'

type Operation = typeof adminCategoryOperations.adminMergeCategory

/**
 * Merges a category into another: its events and children move to the other one, whose name, position and parents stay. Its slug leads to
 * the other one from then on. This cannot be undone, so it needs a fresh login. Throws `category_not_found`, `category_loop` for a merge
 * with itself, and `step_up_required`.
 */
export function mergeCategory(
  site: Site,
  admin: Admin,
  { params, body }: Pick<Input<Operation>, 'params' | 'body'>,
): Promise<Output<Operation>> {
  return runSensitive(site, admin, async (em, now) => {
    await lockTree(em)
    const [from, into] = [await oneCategory(em, params.id), await oneCategory(em, body.into)]
    if (from.id === into.id) throw new ServiceError('category_loop')
    await moveEvents(em, from.id, into.id)
    await moveChildren(em, from.id, into.id)
    const db = tables(em)
    await db.deleteFrom('translation').where('kind', '=', 'tag').where('subject', '=', from.id).execute()
    await db.updateTable('former_tag').set({ tag_id: into.id }).where('tag_id', '=', from.id).execute()
    await db.updateTable('tag').set({ updated_at: now, arranged_at: now }).where('id', '=', into.id).execute()
    await db.deleteFrom('tag').where('id', '=', from.id).execute()
    await keepSlug(em, into.id, { before: from.slug, now: into.slug })
    const { name, slug, parents, events_count } = from
    return {
      answer: { success: true, data: await oneCategory(em, into.id) },
      record: {
        action: 'categories_merged',
        target: into.id,
        before: { id: from.id, name, slug, parents, events_count },
        after: { name: into.name, slug: into.slug },
      },
    }
  })
}

/** Moves events. One that is in both categories keeps the one that comes first. */
async function moveEvents(em: EntityManager, from: string, into: string): Promise<void> {
  const db = tables(em)
  await db
    .deleteFrom('event_tag as later')
    .using('event_tag as first')
    .whereRef('later.event_id', '=', 'first.event_id')
    .whereRef('later.position', '>', 'first.position')
    .where('later.tag_id', 'in', [from, into])
    .where('first.tag_id', 'in', [from, into])
    .execute()
  await db.updateTable('event_tag').set({ tag_id: into }).where('tag_id', '=', from).execute()
  // Locks events in the order of their ids, as jobs do, so that none deadlocks.
  await db
    .with('moved', (query) => query.selectFrom('event').select('id').where('main_tag_id', '=', from).orderBy('id').forNoKeyUpdate())
    .updateTable('event')
    .from('moved')
    .set({ main_tag_id: into })
    .whereRef('event.id', '=', 'moved.id')
    .execute()
}

/** Moves children, except those that are above the other category: that would be a loop. */
async function moveChildren(em: EntityManager, from: string, into: string): Promise<void> {
  const db = tables(em)
  const above = await db
    .withRecursive('above', (query) =>
      query
        .selectNoFrom(sql<string>`${into}::uuid`.as('id'))
        .union((eb) =>
          eb
            .selectFrom('tag_parent')
            .innerJoin('above', 'above.id', 'tag_parent.child_id')
            .select('tag_parent.parent_id as id')
            .where('tag_parent.parent_id', '<>', from),
        ),
    )
    .selectFrom('above')
    .select('id')
    .execute()
  await db
    .insertInto('tag_parent')
    .columns(['child_id', 'parent_id'])
    .expression((eb) =>
      eb
        .selectFrom('tag_parent')
        .select(['child_id', sql<string>`${into}::uuid`.as('parent_id')])
        .where('parent_id', '=', from)
        .where((each) => each.not(each('child_id', '=', anyOf(above.map(({ id }) => id))))),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
