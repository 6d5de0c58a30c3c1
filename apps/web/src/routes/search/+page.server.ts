import { listEvents } from '@augury/platform/events/list-events'
import { eventPage } from '#lib/event-page.ts'
import { PAGE_SIZE, readListQuery } from '#lib/list-query.ts'
import { listInput } from '#lib/server/list-input.ts'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = async ({ locals: { platform, viewer }, url }) => {
  const query = readListQuery(url.searchParams)
  const events = await listEvents(platform, viewer, listInput(query, PAGE_SIZE + 1))
  return { list: eventPage(query, events, platform.now().getTime()) }
}
