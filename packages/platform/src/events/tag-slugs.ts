import type { EntityManager } from '@mikro-orm/postgresql'
import type { Platform } from '../platform.ts'

/** Every slug with the tag that it finds, as a table: those that tags have, and those of tags that were renamed or merged. No slug is both. */
export const TAG_SLUGS = '(select slug, id as tag_id from tag union all select slug, tag_id from former_tag) tag_slug'

/** The slug that a tag goes by now which had `slug` before, or which it was merged into; null where there is none. */
export async function slugAfter(platform: Platform, slug: string): Promise<string | null> {
  const [row]: { slug: string }[] = await platform
    .em()
    .execute('select tag.slug from former_tag join tag on tag.id = tag_id where former_tag.slug = ?', [slug])
  return row?.slug ?? null
}

/** Lets a slug that a tag had before find it still, and the one that it has now nothing else. */
export async function keepSlug(em: EntityManager, id: string, { before, now }: { before: string; now: string }): Promise<void> {
  await em.execute('delete from former_tag where slug = ?', [now])
  await em.execute('insert into former_tag (slug, tag_id) values (?, ?) on conflict (slug) do update set tag_id = excluded.tag_id', [
    before,
    id,
  ])
}
