import type { MainTag } from '@augury/wire/platform/event'
import type { Platform } from '../site/platform.ts'
import { localeOf, ORIGINAL } from '../translations/translations.ts'

interface Row {
  id: string
  name: string
  slug: string
  childs: { name: string; slug: string }[]
}

/**
 * Main categories with active events, by display order and then size, each with its sub-categories that have some. Windows of a price
 * series do not count: they come and go by the minute, and the tabs would keep changing places.
 */
export async function mainTags(platform: Platform, { locale = ORIGINAL }: { locale?: string | undefined } = {}): Promise<MainTag[]> {
  const language = localeOf(locale)
  return platform.lists.read(`tags ${language}`, ['lists'], (): Promise<Row[]> => platform.em().execute(MAIN_TAGS, [language, language]))
}

/** SQL of a tag's name in the language of the next value. */
const nameIn = (tag: string) => `(select text from translation where kind = 'tag' and subject = ${tag}.id and locale = ?)`

const SHOWN = `event.status = 'active' and event.is_shown and event.hidden_at is null`
/** SQL of whether an event makes its categories larger, by which they are in order unless an admin arranged them. */
export const FILLS_TABS = `${SHOWN} and series_slug is null`

const USED = `
  select tag_id, count(*) filter (where ${FILLS_TABS}) as events
  from event_tag join event on event.id = event_id
  where ${SHOWN}
  group by tag_id`

const MAIN_TAGS = `
  with used as (${USED})
  select tag.id, coalesce(${nameIn('tag')}, tag.name) as name, tag.slug, coalesce(
    (
      select jsonb_agg(jsonb_build_object('name', coalesce(${nameIn('child')}, child.name), 'slug', child.slug) order by child.display_order, child_used.events desc, child.name)
      from tag_parent
      join tag child on child.id = child_id
      join used child_used on child_used.tag_id = child.id
      where parent_id = tag.id and not child.is_hidden and not child.hide_events
    ), '[]') as childs
  from tag join used on used.tag_id = tag.id
  where tag.is_main_category and not tag.is_hidden and not tag.hide_events
  order by tag.display_order, used.events desc, tag.name`
