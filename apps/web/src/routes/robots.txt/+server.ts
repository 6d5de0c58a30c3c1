import type { RequestHandler } from './$types'

/** What search engines may read: the markets; not endless lists of filters. */
export const GET: RequestHandler = () =>
  new Response(['User-agent: *', 'Disallow: /api/', 'Disallow: /trpc/', 'Disallow: /search', 'Disallow: /*?', ''].join('\n'), {
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, max-age=3600' },
  })
