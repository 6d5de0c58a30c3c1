import { tables } from '@augury/domain/platform/tables'
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import type { Platform } from '../site/platform.ts'

/** SQL table of every slug with its tag: current slugs, and former ones of renamed or merged tags. No slug is both. */
const TAGS = '(select slug, id as tag_id from tag union all select slug, tag_id from former_tag)'
export const TAG_SLUGS = `${TAGS} tag_slug`
/** The same for the query builder: every slug, with the id of its category. */
export const tagSlugs = (em: EntityManager) =>
  tables(em)
    .selectFrom(sql<{ slug: string; tag_id: string }>`${sql.raw(TAGS)}`.as('tag_slug'))
    .selectAll()
/** The id of the category that has a slug, or had it. */
export const tagOf = (slug: string) => sql<string>`(select tag_id from ${sql.raw(TAGS)} tag_slug where slug = ${slug})`

/** The current slug of the tag that formerly had `slug`, directly or through a merge; null when there is none. */
export async function slugAfter(platform: Platform, slug: string): Promise<string | null> {
  const row = await tables(platform.em())
    .selectFrom('former_tag')
    .innerJoin('tag', 'tag.id', 'former_tag.tag_id')
    .select('tag.slug')
    .where('former_tag.slug', '=', slug)
    .executeTakeFirst()
  return row?.slug ?? null
}

/** Keeps a tag's former slug working, and frees its current slug from any other former use. */
export async function keepSlug(em: EntityManager, id: string, { before, now }: { before: string; now: string }): Promise<void> {
  await tables(em).deleteFrom('former_tag').where('slug', '=', now).execute()
  await tables(em)
    .insertInto('former_tag')
    .values({ slug: before, tag_id: id })
    .onConflict((conflict) => conflict.column('slug').doUpdateSet({ tag_id: id }))
    .execute()
}
