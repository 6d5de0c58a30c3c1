import { chanceLines } from '@augury/platform/events/chance-lines'
import { listEvents } from '@augury/platform/events/list-events'
import { movers } from '@augury/platform/events/movers'
import { eventPage } from '#lib/event-page.ts'
import { featured } from '#lib/featured.ts'
import { PAGE_SIZE, readListQuery } from '#lib/list-query.ts'
import { listInput } from '#lib/server/list-input.ts'
import type { PageServerLoad } from './$types'

/** Events in the list of what ends next, where nothing moved; it gives way to what did. */
const SOON = 5
const SOON_BESIDE_MOVERS = 2
const WEEK_MS = 604_800_000

export const load: PageServerLoad = async ({ locals: { locale, platform, viewer }, url }) => {
  const query = readListQuery(url.searchParams)
  const bare = url.search === ''
  const [events, soon, moved] = await Promise.all([
    listEvents(platform, viewer, listInput(query, PAGE_SIZE + 1)),
    bare ? listEvents(platform, viewer, listInput({ ...query, sort: 'end_date' }, SOON)) : [],
    bare ? movers(platform, { locale }) : [],
  ])
  const list = eventPage(query, events, platform.now().getTime())
  const leading = events[0]
  if (!bare || !leading) return { list, front: null, movers: [] }
  const young = list.now - Date.parse(leading.created_at) < WEEK_MS
  const lines = await chanceLines(platform, { slug: leading.slug, range: young ? 'all' : '1w' })
  const beside = soon.slice(0, moved.length > 1 ? SOON_BESIDE_MOVERS : SOON)
  return { list, front: featured(leading, lines, beside), movers: moved.length > 1 ? moved : [] }
}
