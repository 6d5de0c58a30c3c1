import { migratePlatform } from '@augury/domain/platform/database'
import type { Lists } from '@augury/platform/cache/cached-lists'
import { openPlatform } from '@augury/platform/site/platform'
import { migratedDatabase } from '@augury/testing/database'
import { expect, test } from 'vitest'
import { addressesOf } from '../src/lib/language/locale.ts'
import { eventsOfMonth, sitemapMonths, sitemapPart } from '../src/lib/server/sitemap.ts'

test('a page has an address in each language that the site offers, and in no other', () => {
  expect(addressesOf('https://m.example', '/', ['en', 'es'])).toEqual([
    { locale: 'en', href: 'https://m.example/en' },
    { locale: 'es', href: 'https://m.example/es' },
  ])
})

test('the sitemap has only offered languages', () => {
  const part = sitemapPart('https://m.example', [{ path: '/event/a&b', changed: null }], ['en', 'es'])
  expect(part).toContain('<loc>https://m.example/event/a&#38;b</loc>')
  expect([...part.matchAll(/hreflang="(\w+)" href="([^"]*)"/g)].map(([, locale, href]) => [locale, href])).toEqual([
    ['en', 'https://m.example/en/event/a&#38;b'],
    ['es', 'https://m.example/es/event/a&#38;b'],
  ])
})

test('the sitemap has the events that lists show, and no others', async () => {
  const platform = await openPlatform(await migratedDatabase('platform', migratePlatform))
  const em = platform.em()
  await em.execute(
    `insert into event (slug, title, creator, status, created_at, is_shown, hidden_at)
     select slug, slug, '0x' || repeat('c1', 20), status, at::timestamptz, shown, hidden::timestamptz from (values
       ('shown', 'active', '2026-10-31T23:59Z', true, null), ('draft', 'draft', '2026-10-02Z', true, null),
       ('hidden', 'active', '2026-10-01Z', true, '2026-10-02Z'), ('of-a-hidden-category', 'active', '2026-10-01Z', true, null),
       ('of-others', 'active', '2026-09-01Z', false, null)) row (slug, status, at, shown, hidden)`,
  )
  await em.execute(`insert into tag (slug, name, hide_events) values ('quiet', 'Quiet', true)`)
  await em.execute(
    `insert into event_tag (event_id, tag_id, position) select event.id, tag.id, 0 from event, tag where event.slug = 'of-a-hidden-category'`,
  )
  expect(await sitemapMonths(platform)).toEqual(['2026-10'])
  expect((await eventsOfMonth(platform, '2026-10'))?.map(({ path }) => path)).toEqual(['/event/shown'])
  await platform.close()
})

test('windows of a price series crowd no other event out', async () => {
  const platform = await openPlatform(await migratedDatabase('platform', migratePlatform))
  await platform.em().execute(
    `insert into event (slug, title, creator, status, created_at, series_slug)
     select 'e-' || n, 'e', '0x' || repeat('c1', 20), 'active', '2026-10-01Z'::timestamptz + n * interval '1 minute', case when n > 0 then 'eth-usd-5m' end
     from generate_series(0, 10000) n`,
  )
  const events = await eventsOfMonth(platform, '2026-10')
  expect([events?.length, events?.[0]?.path]).toEqual([10_000, '/event/e-0'])
  await platform.close()
})

test('each part is read once for everybody, and a month without events is not read at all', async () => {
  const read: string[] = []
  const kept = new Map<string, unknown>()
  const lists: Lists = {
    async read<Value>(name: string, tags: readonly string[], make: () => Promise<Value>) {
      if (!kept.has(name)) {
        read.push(`${name} (${tags})`)
        kept.set(name, await make())
      }
      return kept.get(name) as Value
    },
  }
  const platform = { ...(await openPlatform(await migratedDatabase('platform', migratePlatform))), lists }
  await platform.em().execute(
    `insert into event (slug, title, creator, status, created_at, is_shown)
     values ('shown', 'shown', '0x' || repeat('c1', 20), 'active', '2026-10-31T23:59Z', true)`,
  )
  for (let times = 0; times < 3; times++) {
    expect((await eventsOfMonth(platform, '2026-10'))?.length).toBe(1)
    for (const month of ['2026-09', '2026-13', 'pages; drop']) expect(await eventsOfMonth(platform, month)).toBeNull()
  }
  expect(read).toEqual(['sitemap (lists)', 'sitemap 2026-10 (lists)'])
  await platform.close()
})
