import { SEEN } from '@augury/platform/events/list-events'
import type { Platform } from '@augury/platform/site/platform'
import { addressesOf, type Locale } from '#lib/language/locale.ts'
import { escaped } from './escaped.ts'

/** URLs in one part of the sitemap, each in every language; the limit of the format is 50 000. */
const MOST = 10_000

/** Condition of the events in the sitemap: those that lists show. */
const LISTED = `event.status in ('active', 'resolved') and ${SEEN.sql}`

interface Page {
  path: string
  changed: string | null
}

/** Months with created events, newest first: "2026-11". Crawlers ask for all parts at once, so they are kept like lists. */
export const sitemapMonths = (platform: Platform): Promise<string[]> =>
  platform.lists.read('sitemap', ['lists'], async () => {
    const rows: { month: string }[] = await platform
      .em()
      .execute(`select distinct to_char(created_at at time zone 'UTC', 'YYYY-MM') as month from event where ${LISTED} order by 1 desc`)
    return rows.map(({ month }) => month)
  })

/**
 * The events of one month; null when it has none, so that only months with events are kept. Windows of a price series, of which a month may
 * have more than there is room for, come last.
 */
export async function eventsOfMonth(platform: Platform, month: string): Promise<Page[] | null> {
  if (!(await sitemapMonths(platform)).includes(month)) return null
  return platform.lists.read(`sitemap ${month}`, ['lists'], async () => {
    const rows: { slug: string; updated_at: string | Date }[] = await platform.em().execute(
      `select slug, updated_at from event where ${LISTED}
         and created_at >= (?::text || '-01')::timestamp at time zone 'UTC'
         and created_at < ((?::text || '-01')::timestamp + interval '1 month') at time zone 'UTC'
       order by series_slug is not null, created_at desc limit ${MOST}`,
      [month, month],
    )
    return rows.map(({ slug, updated_at }) => ({ path: `/event/${slug}`, changed: new Date(updated_at).toISOString() }))
  })
}

/** The sitemap index: a part for static pages, and one per month. */
export const sitemapIndex = (origin: string, months: readonly string[]): string =>
  document(
    'sitemapindex',
    ['pages', ...months].map((part) => `<sitemap><loc>${escaped(`${origin}/sitemap/${part}.xml`)}</loc></sitemap>`),
  )

/** A part of the sitemap: pages with their URLs in every offered language. */
export const sitemapPart = (origin: string, pages: readonly Page[], offered: readonly Locale[]): string =>
  document(
    'urlset',
    pages.map(({ path, changed }) => {
      const others = addressesOf(origin, path, offered).map(
        ({ locale, href }) => `<xhtml:link rel="alternate" hreflang="${locale}" href="${escaped(href)}"/>`,
      )
      const time = changed === null ? '' : `<lastmod>${changed}</lastmod>`
      return `<url><loc>${escaped(origin + path)}</loc>${time}${others.join('')}</url>`
    }),
  )

const document = (root: string, parts: readonly string[]): string =>
  [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">`,
    ...parts,
    `</${root}>`,
    '',
  ].join('\n')
