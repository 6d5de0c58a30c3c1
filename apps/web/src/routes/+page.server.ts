import { chanceLines } from '@augury/platform/events/chance-lines'
import { listEvents } from '@augury/platform/events/list-events'
import { eventPage } from '#lib/event-page.ts'
import { featured } from '#lib/featured.ts'
import { PAGE_SIZE, readListQuery } from '#lib/list-query.ts'
import { listInput } from '#lib/server/list-input.ts'
import type { PageServerLoad } from './$types'

/** Events in the list of what ends next. */
const SOON = 5
const WEEK_MS = 604_800_000

export const load: PageServerLoad = async ({ locals: { platform, viewer }, url }) => {
  const query = readListQuery(url.searchParams)
  const bare = url.search === ''
  const [events, soon] = await Promise.all([
    listEvents(platform, viewer, listInput(query, PAGE_SIZE + 1)),
    bare ? listEvents(platform, viewer, listInput({ ...query, sort: 'end_date' }, SOON)) : [],
  ])
  const list = eventPage(query, events, platform.now().getTime())
  const leading = events[0]
  if (!bare || !leading) return { list, front: null }
  const young = list.now - Date.parse(leading.created_at) < WEEK_MS
  const lines = await chanceLines(platform, { slug: leading.slug, range: young ? 'all' : '1w' })
  return { list, front: featured(leading, lines, soon) }
}
