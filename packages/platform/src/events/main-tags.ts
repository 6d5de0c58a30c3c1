import type { MainTag } from '@augury/wire/platform/event'
import type { Platform } from '../platform.ts'

interface Row {
  id: string
  name: string
  slug: string
  childs: { name: string; slug: string }[]
}

/** Main categories with active events, in their display order and the fullest first, each with the sub-categories that have some too. */
export async function mainTags(platform: Platform): Promise<MainTag[]> {
  const rows: Row[] = await platform.em().execute(MAIN_TAGS)
  return rows
}

const MAIN_TAGS = `
  with used as (
    select tag_id, count(*) as events
    from event_tag join event on event.id = event_id
    where event.status = 'active'
    group by tag_id
  )
  select tag.id, tag.name, tag.slug, coalesce(
    (
      select jsonb_agg(jsonb_build_object('name', child.name, 'slug', child.slug) order by child.display_order, child_used.events desc, child.name)
      from tag_parent
      join tag child on child.id = child_id
      join used child_used on child_used.tag_id = child.id
      where parent_id = tag.id
    ), '[]') as childs
  from tag join used on used.tag_id = tag.id
  where tag.is_main_category
  order by tag.display_order, used.events desc, tag.name`
