import type { EntityManager } from '@mikro-orm/postgresql'
import type { Platform } from '../site/platform.ts'

/** SQL table of every slug with its tag: current slugs, and former ones of renamed or merged tags. No slug is both. */
export const TAG_SLUGS = '(select slug, id as tag_id from tag union all select slug, tag_id from former_tag) tag_slug'

/** The current slug of the tag that formerly had `slug`, directly or through a merge; null when there is none. */
export async function slugAfter(platform: Platform, slug: string): Promise<string | null> {
  const [row]: { slug: string }[] = await platform
    .em()
    .execute('select tag.slug from former_tag join tag on tag.id = tag_id where former_tag.slug = ?', [slug])
  return row?.slug ?? null
}

/** Keeps a tag's former slug working, and frees its current slug from any other former use. */
export async function keepSlug(em: EntityManager, id: string, { before, now }: { before: string; now: string }): Promise<void> {
  await em.execute('delete from former_tag where slug = ?', [now])
  await em.execute('insert into former_tag (slug, tag_id) values (?, ?) on conflict (slug) do update set tag_id = excluded.tag_id', [
    before,
    id,
  ])
}
