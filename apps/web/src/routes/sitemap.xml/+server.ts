import { sitemapIndex, sitemapMonths } from '#lib/server/sitemap.ts'
import type { RequestHandler } from './$types'

/** The sitemap index. */
export const GET: RequestHandler = async ({ locals: { platform, settings } }) =>
  new Response(sitemapIndex(settings.origin, await sitemapMonths(platform)), {
    headers: { 'content-type': 'application/xml; charset=utf-8', 'cache-control': 'public, max-age=3600' },
  })
