import { apiReference } from '#lib/server/api-reference.ts'
import { guides, searchGuides } from '#lib/server/guides.ts'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = ({ locals: { settings }, url }) => {
  const search = (url.searchParams.get('q') ?? '').trim().slice(0, 100)
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const operations = apiReference(settings)
    .filter(
      ({ call, summary }) => words.length > 0 && words.every((word) => `${call.name} ${call.path} ${summary}`.toLowerCase().includes(word)),
    )
    .map(({ slug, call, summary }) => ({ href: `/docs/api/${slug}`, title: `${call.method} ${call.path}`, about: summary }))
  return {
    search,
    found: [...searchGuides(search), ...operations],
    guides: guides.map(({ slug, title, about }) => ({ slug, title, about })),
  }
}
