import { keptEvents } from '@augury/platform/events/kept-events'
import { listEvents } from '@augury/platform/events/list-events'
import { redirect } from '@sveltejs/kit'
import { PAGE_SIZE, readListQuery } from '#lib/lists/list-query.ts'
import { listInput } from '#lib/server/list-input.ts'
import { listPage } from '#lib/server/list-page.ts'
import { keepSaved, savedHere } from '#lib/server/saved-events.ts'
import { wayBack } from '#lib/server/way-back.ts'
import type { Actions, PageServerLoad } from './$types'

export const load: PageServerLoad = async ({ cookies, locals: { platform, viewer }, parent, url }) => {
  // After signing in, the layout first merges the device's saved events.
  await parent()
  // Its pages are all that an address chooses: the list has no controls, and a device keeps an order of its own.
  const { offset } = readListQuery(url.searchParams)
  const query = { ...readListQuery(new URLSearchParams()), status: 'all' as const, offset }
  const here = savedHere(cookies, viewer)
  const events =
    here === null
      ? await listEvents(platform, viewer, listInput({ ...query, saved: true }, PAGE_SIZE + 1))
      : (await keptEvents(platform, here)).slice(query.offset, query.offset + PAGE_SIZE + 1)
  return { list: await listPage(platform, query, events) }
}

/** Saves or removes an event, and redirects back. */
export const actions: Actions = {
  default: async (event) => {
    const form = await event.request.formData()
    await keepSaved(event, String(form.get('event')), form.get('saved') === 'true')
    redirect(303, wayBack(event.request, event.url, '/saved'))
  },
}
