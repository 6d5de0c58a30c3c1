import { listEvents } from '@augury/platform/events/list-events'
import { slugAfter } from '@augury/platform/events/tag-slugs'
import { error, redirect } from '@sveltejs/kit'
import { PAGE_SIZE, readListQuery } from '#lib/lists/list-query.ts'
import { m } from '#lib/paraglide/messages.js'
import { listInput } from '#lib/server/list-input.ts'
import { listPage } from '#lib/server/list-page.ts'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = async ({ locals: { platform, viewer }, params, parent, url }) => {
  const { categories } = await parent()
  const category = categories.find(({ slug }) => slug === params.tag)
  const child = category?.childs.find(({ slug }) => slug === params.sub)
  if (!category || (params.sub !== undefined && !child)) {
    const now = (await slugAfter(platform, params.sub ?? params.tag)) ?? params.sub
    const above =
      now === undefined ? undefined : categories.find(({ slug, childs }) => slug === now || childs.some((each) => each.slug === now))
    if (above) redirect(307, `/c/${above.slug}${above.slug === now ? '' : `/${now}`}${url.search}`)
    error(404, m.error_category())
  }
  const query = readListQuery(url.searchParams)
  const events = await listEvents(platform, viewer, listInput(query, PAGE_SIZE + 1, child?.slug ?? category.slug))
  return { category, child: child ?? null, list: await listPage(platform, query, events) }
}
