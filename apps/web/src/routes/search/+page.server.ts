import { listEvents } from '@augury/platform/events/list-events'
import { PAGE_SIZE, readListQuery } from '#lib/lists/list-query.ts'
import { listInput } from '#lib/server/list-input.ts'
import { listPage } from '#lib/server/list-page.ts'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = async ({ locals: { platform, viewer }, url }) => {
  const query = readListQuery(url.searchParams)
  const events = await listEvents(platform, viewer, listInput(query, PAGE_SIZE + 1))
  return { list: await listPage(platform, query, events) }
}
