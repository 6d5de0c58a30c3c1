import { anyOf, lockName, tables } from '@augury/domain/platform/tables'
import type { Input, Output } from '@augury/wire/operation'
import type { adminCategoryOperations } from '@augury/wire/platform/admin-categories'
import { ServiceError } from '@augury/wire/service-error'
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { type AdminResult, difference, hasNew, runAsAdmin } from '../authorization/run-as-admin.ts'
import type { Admin } from '../authorization/viewer.ts'
import { translateUnasked } from '../creation/translate-unasked.ts'
import { FILLS_TABS } from '../events/main-tags.ts'
import { keepSlug } from '../events/tag-slugs.ts'
import type { Platform } from '../site/platform.ts'
import type { Site } from '../site/site.ts'
import { orderBy, pattern } from './list-order.ts'

type Operations = typeof adminCategoryOperations
type Category = Output<Operations['adminAddCategory']>['data']
type Body = Input<Operations['adminUpdateCategory']>['body']
type Changes = Omit<Body, 'seen'>

const COLUMNS = {
  name: 'tag.name',
  slug: 'tag.slug',
  display_order: 'display_order',
  active_markets_count: 'active_markets_count',
  events_count: 'events_count',
  created_at: 'tag.created_at',
  updated_at: 'tag.updated_at',
}

interface Row extends Category {
  tab_events: number
}

/** Events are counted once for all categories: a subquery per category would read each event as often as it has some. */
const SELECT = `
  select tag.id, tag.name, tag.slug, is_main_category, is_hidden, hide_events, display_order, tag.created_at, tag.updated_at,
    coalesce(events_count, 0) as events_count, coalesce(active_markets_count, 0) as active_markets_count, coalesce(tab_events, 0) as tab_events,
    (select coalesce(jsonb_agg(parent_id order by parent_id), '[]') from tag_parent where child_id = tag.id) as parents,
    (select coalesce(jsonb_object_agg(locale, jsonb_build_object('text', text, 'by_person', by_person)), '{}')
     from translation where kind = 'tag' and subject = tag.id) as translations
  from tag left join (
    select tag_id, count(*)::int as events_count, sum(active_markets_count)::int as active_markets_count,
      count(*) filter (where ${FILLS_TABS})::int as tab_events
    from event_tag join event on event.id = event_id group by tag_id
  ) used on used.tag_id = tag.id`

const view = ({ tab_events: _, ...row }: Row): Category => ({
  ...row,
  created_at: new Date(row.created_at).toISOString(),
  updated_at: new Date(row.updated_at).toISOString(),
})

/** Categories with their counts, in the order of the site's tabs unless sorted otherwise. Throws `invalid_sort_by`. */
export async function listCategories(
  platform: Platform,
  { query }: Pick<Input<Operations['adminCategories']>, 'query'>,
): Promise<Output<Operations['adminCategories']>> {
  const isUsual = query.sortBy === undefined
  const order = orderBy(
    COLUMNS,
    { ...query, sortOrder: isUsual ? 'asc' : query.sortOrder },
    'display_order',
    `${isUsual ? 'tab_events desc, ' : ''}tag.name, tag.id`,
  )
  const rows: (Row & { total: number })[] = await platform
    .em()
    .execute(
      `select *, count(*) over ()::int as total from (${SELECT} where tag.name ilike ? or tag.slug ilike ?) tag order by ${order} limit ? offset ?`,
      [pattern(query.search), pattern(query.search), query.limit, query.offset],
    )
  return { data: rows.map(({ total: _, ...row }) => view(row)), totalCount: rows[0]?.total ?? 0 }
}

/** Main categories with their children, hidden ones too, and all categories that belong to none. */
export async function adminMainTags(platform: Platform): Promise<Output<Operations['adminMainTags']>> {
  const [row]: Output<Operations['adminMainTags']>[] = await platform.em().execute(`
    select
      coalesce((select jsonb_agg(jsonb_build_object('id', main.id, 'name', main.name, 'slug', main.slug, 'childs', coalesce((
          select jsonb_agg(jsonb_build_object('name', child.name, 'slug', child.slug) order by child.display_order, child.name)
          from tag_parent join tag child on child.id = child_id where parent_id = main.id), '[]')) order by main.display_order, main.name)
        from tag main where is_main_category), '[]') as "mainCategories",
      coalesce((select jsonb_agg(jsonb_build_object('name', tag.name, 'slug', tag.slug) order by tag.name)
        from tag where not is_main_category and not exists (select from tag_parent where child_id = tag.id)), '[]') as "globalCategories"`)
  return row!
}

/**
 * Creates a category. The same again, because its answer was lost, is answered with the one that there is. Throws `slug_taken`, and
 * `category_not_found` for an unknown parent.
 */
export async function addCategory(
  site: Site,
  admin: Admin,
  { body }: Pick<Input<Operations['adminAddCategory']>, 'body'>,
): Promise<Output<Operations['adminAddCategory']>> {
  const added = await runAsAdmin<Output<Operations['adminAddCategory']>>(site, admin, async (em, now) => {
    const row = await tables(em)
      .insertInto('tag')
      .values({ slug: body.slug!, name: body.name!, created_at: now, updated_at: now, arranged_at: now })
      .onConflict((conflict) => conflict.column('slug').doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!row) return { answer: { success: true, data: await sameCategory(em, body) }, record: null }
    await tables(em).deleteFrom('former_tag').where('slug', '=', body.slug!).execute()
    await change(em, row.id, body, now)
    return {
      answer: { success: true, data: await oneCategory(em, row.id) },
      record: { action: 'category_changed', target: row.id, after: body },
    }
  })
  translateUnasked(site, admin, { kind: 'tag', id: added.data.id })
  return added
}

/** The category of a slug, if it is as it would be made. Throws `slug_taken`. */
async function sameCategory(em: EntityManager, body: Changes): Promise<Category> {
  const [row] = await read(em, 'tag.slug = ?', body.slug)
  if (!row || difference<Changes>(fields(row), sorted(body))) throw new ServiceError('slug_taken')
  return view(row)
}

/**
 * Changes a category. Throws `category_not_found`, `slug_taken` and `category_loop`, and `changed_meanwhile` where it is not as the caller has
 * seen it.
 */
export async function updateCategory(
  site: Site,
  admin: Admin,
  { params, body }: Pick<Input<Operations['adminUpdateCategory']>, 'params' | 'body'>,
): Promise<Output<Operations['adminUpdateCategory']>> {
  const { answer, renamed } = await runAsAdmin(site, admin, async (em, now) => {
    const record = await change(em, params.id, body, now)
    const answer = { success: true as const, data: await oneCategory(em, params.id) }
    return { answer: { answer, renamed: hasNew(record, 'name') }, record }
  })
  if (renamed) translateUnasked(site, admin, { kind: 'tag', id: params.id }, { renamed })
  return answer
}

/**
 * Sets the order of categories. Throws `category_not_found` when one is gone, and `changed_meanwhile` where they are not in the places that the
 * caller has seen.
 */
export function orderCategories(
  site: Site,
  admin: Admin,
  { body: { ids, seen } }: Pick<Input<Operations['adminOrderCategories']>, 'body'>,
): Promise<{ success: true }> {
  return runAsAdmin(site, admin, async (em, now) => {
    await lockTree(em)
    if (seen && !(await areAt(em, ids, seen))) {
      const isDone = await areAt(
        em,
        ids,
        ids.map((_, i) => i + 1),
      )
      if (isDone) return { answer: { success: true }, record: null }
      throw new ServiceError('changed_meanwhile')
    }
    const placed = await tables(em)
      .updateTable('tag')
      .from(placesOf(ids).as('place'))
      .set((eb) => ({ display_order: eb.ref('place.position'), updated_at: now, arranged_at: now }))
      .whereRef('tag.id', '=', 'place.id')
      .returning('tag.id')
      .execute()
    if (placed.length !== new Set(ids).size) throw new ServiceError('category_not_found')
    return { answer: { success: true }, record: { action: 'category_changed', target: 'order', after: { ids } } }
  })
}

/** Ids with their places, from 1. */
const placesOf = (ids: readonly string[]) =>
  sql<{ id: string; position: number }>`(select id, position::int from unnest(${ids}::uuid[]) with ordinality as given (id, position))`

/** Whether categories are in the given places. */
async function areAt(em: EntityManager, ids: readonly string[], places: readonly number[]): Promise<boolean> {
  const rows = await tables(em).selectFrom('tag').select(['id', 'display_order']).where('id', '=', anyOf(ids)).execute()
  return ids.every((id, i) => rows.find((row) => row.id === id.toLowerCase())?.display_order === places[i])
}

/** Undoes a change of a category. Throws `changed_meanwhile`. */
export async function undoCategory(
  em: EntityManager,
  { target, before, after }: { target: string; before: Changes; after: Changes },
  now: Date,
): Promise<AdminResult<unknown>> {
  if (difference<Changes>(fields(await oneCategory(em, target)), after)) throw new ServiceError('changed_meanwhile')
  return { answer: null, record: await change(em, target, before, now) }
}

const fields = ({ name, slug, is_main_category, is_hidden, hide_events, display_order, parents }: Category): Changes => ({
  name,
  slug,
  is_main_category,
  is_hidden,
  hide_events,
  display_order,
  parents: [...parents].sort(),
})

/** A category as admins see it. Throws `category_not_found`. */
export async function oneCategory(em: EntityManager, id: string): Promise<Category> {
  const [row] = await read(em, 'tag.id = ?', id)
  if (!row) throw new ServiceError('category_not_found')
  return view(row)
}

const read = (em: EntityManager, where: string, value: unknown): Promise<Row[]> => em.execute(`${SELECT} where ${where}`, [value])

/** Serialises changes of the tree: two concurrent ones could close a loop that neither sees, or restore an outdated position. */
export const lockTree = (em: EntityManager) => lockName(em, 'augury categories')

/** Parents in the order in which they are compared. */
const sorted = (body: Changes): Changes => (body.parents === undefined ? body : { ...body, parents: [...new Set(body.parents)].sort() })

async function change(em: EntityManager, id: string, { seen, ...body }: Body, now: Date): Promise<AdminResult<unknown>['record']> {
  await lockTree(em)
  const current = fields(await oneCategory(em, id))
  const changed = difference<Changes>(current, sorted(body))
  if (!changed) return null
  if (seen && difference<Changes>(current, sorted(seen))) throw new ServiceError('changed_meanwhile')
  const next = { ...current, ...changed.after }
  if (changed.after.slug !== undefined && (await isTaken(em, next.slug!, id))) throw new ServiceError('slug_taken')
  const { name, slug, is_main_category, is_hidden, hide_events, display_order } = next
  await tables(em)
    .updateTable('tag')
    .set({ name, slug, is_main_category, is_hidden, hide_events, display_order, updated_at: now, arranged_at: now })
    .where('id', '=', id)
    .execute()
  if (changed.after.slug !== undefined) await keepSlug(em, id, { before: current.slug!, now: changed.after.slug })
  if (changed.after.parents !== undefined) await setParents(em, id, changed.after.parents)
  return { action: 'category_changed', target: id, ...changed }
}

const isTaken = async (em: EntityManager, slug: string, id: string): Promise<boolean> =>
  (await tables(em).selectFrom('tag').select('id').where('slug', '=', slug).where('id', '<>', id).execute()).length > 0

async function setParents(em: EntityManager, id: string, parents: readonly string[]): Promise<void> {
  const known = await tables(em).selectFrom('tag').select('id').where('id', '=', anyOf(parents)).execute()
  if (known.length !== parents.length) throw new ServiceError('category_not_found')
  await tables(em).deleteFrom('tag_parent').where('child_id', '=', id).execute()
  for (const parent of parents) {
    if (parent === id) throw new ServiceError('category_loop')
    await tables(em).insertInto('tag_parent').values({ child_id: id, parent_id: parent }).execute()
  }
  const loops = await tables(em)
    .withRecursive('above', (query) =>
      query
        .selectFrom('tag_parent')
        .select('parent_id')
        .where('child_id', '=', id)
        .union((eb) =>
          eb.selectFrom('tag_parent').innerJoin('above', 'tag_parent.child_id', 'above.parent_id').select('tag_parent.parent_id'),
        ),
    )
    .selectFrom('above')
    .select('parent_id')
    .where('parent_id', '=', id)
    .execute()
  if (loops.length > 0) throw new ServiceError('category_loop')
}
