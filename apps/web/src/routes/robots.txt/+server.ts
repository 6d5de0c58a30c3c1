import type { RequestHandler } from './$types'

/** Allows the markets to search engines, but not all combinations of filters. */
export const GET: RequestHandler = ({ locals: { settings } }) =>
  new Response(
    [
      'User-agent: *',
      'Disallow: /api/',
      'Disallow: /trpc/',
      'Disallow: /search',
      'Disallow: /*?',
      `Sitemap: ${settings.origin}/sitemap.xml`,
      '',
    ].join('\n'),
    {
      headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, max-age=3600' },
    },
  )
