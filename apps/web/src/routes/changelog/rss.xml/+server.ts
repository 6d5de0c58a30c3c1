import { changes } from '#lib/docs/changelog.ts'
import { escaped } from '#lib/server/escaped.ts'
import type { RequestHandler } from './$types'

/** The changelog as an RSS feed. */
export const GET: RequestHandler = ({ locals: { brand, settings } }) => {
  const items = changes.map(({ id, day, title, texts }) => {
    const link = `${settings.origin}/changelog#${id}`
    const about = escaped(texts.join('\n'))
    return `<item><title>${escaped(title)}</title><link>${link}</link><guid>${link}</guid><pubDate>${new Date(day).toUTCString()}</pubDate><description>${about}</description></item>`
  })
  const head = `<title>${escaped(brand.name)}</title><link>${settings.origin}/changelog</link><description>${escaped(brand.description)}</description>`
  return new Response(`<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0"><channel>${head}${items.join('')}</channel></rss>\n`, {
    headers: { 'content-type': 'application/rss+xml; charset=utf-8', 'cache-control': 'public, max-age=3600' },
  })
}
