import type { Input, Output } from '@augury/wire/operation'
import type { adminCategoryOperations } from '@augury/wire/platform/admin-categories'
import { ServiceError } from '@augury/wire/service-error'
import type { EntityManager } from '@mikro-orm/postgresql'
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
    await em.execute(`delete from translation where kind = 'tag' and subject = ?`, [from.id])
    await em.execute('update former_tag set tag_id = ? where tag_id = ?', [into.id, from.id])
    await em.execute('update tag set updated_at = ?, arranged_at = ? where id = ?', [now, now, into.id])
    await em.execute('delete from tag where id = ?', [from.id])
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
  const both = [from, into]
  await em.execute(
    `delete from event_tag later using event_tag first where later.event_id = first.event_id and later.position > first.position
       and later.tag_id in (?, ?) and first.tag_id in (?, ?)`,
    [...both, ...both],
  )
  await em.execute('update event_tag set tag_id = ? where tag_id = ?', [into, from])
  // Locks events in the order of their ids, as jobs do, so that none deadlocks.
  await em.execute(
    `with moved as (select id from event where main_tag_id = ? order by id for no key update)
     update event set main_tag_id = ? from moved where event.id = moved.id`,
    [from, into],
  )
}

/** Moves children, except those that are above the other category: that would be a loop. */
async function moveChildren(em: EntityManager, from: string, into: string): Promise<void> {
  await em.execute(
    `with recursive above as (
       select ?::uuid as id union select parent_id from tag_parent join above on child_id = above.id where parent_id <> ?
     )
     insert into tag_parent (child_id, parent_id)
     select child_id, ? from tag_parent where parent_id = ? and child_id not in (select id from above) on conflict do nothing`,
    [into, from, into, from],
  )
}
