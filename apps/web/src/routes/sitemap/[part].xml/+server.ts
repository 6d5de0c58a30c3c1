import { mainTags } from '@augury/platform/events/main-tags'
import type { Platform } from '@augury/platform/site/platform'
import { error } from '@sveltejs/kit'
import { guides } from '#lib/server/guides.ts'
import { eventsOfMonth, sitemapPart } from '#lib/server/sitemap.ts'
import type { RequestHandler } from './$types'

/** Static pages. */
const ALWAYS = ['/', '/activity', '/leaderboard', '/docs', '/docs/api', '/changelog', '/status', '/verify']

/** A part of the sitemap: static pages, or the events of a month. */
export const GET: RequestHandler = async ({ locals: { brand, platform, settings }, params: { part } }) => {
  const pages = part === 'pages' ? await staticPages(platform) : await eventsOfMonth(platform, part)
  if (pages === null) error(404, 'There is no such part.')
  return new Response(sitemapPart(settings.origin, pages, brand.locales), {
    headers: { 'content-type': 'application/xml; charset=utf-8', 'cache-control': 'public, max-age=3600' },
  })
}

async function staticPages(platform: Platform) {
  const categories = await mainTags(platform)
  return [
    ...ALWAYS,
    ...guides.map(({ slug }) => `/docs/${slug}`),
    ...categories.flatMap(({ slug, childs }) => [`/c/${slug}`, ...childs.map((child) => `/c/${slug}/${child.slug}`)]),
  ].map((path) => ({ path, changed: null }))
}
