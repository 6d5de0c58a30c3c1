import { beforeEach, expect, test } from 'vitest'
import { currentWindow, NEAREST } from '../src/series/current-window.ts'
import { discoveryEvent, openEvents, testPlatform } from './test-platform.ts'

const { platform, clock } = await testPlatform()
const read = (sql: string, values: unknown[] = []) => platform.em().execute(sql, values)
const slugs = ['one', 'two', 'three', 'four']
await openEvents(
  platform,
  slugs.map((slug) => discoveryEvent(slug, slug, ['t'], [{ slug }])),
)
const NOON = clock.now()
const at = (minutes: number | null) => (minutes === null ? null : new Date(NOON + minutes * 60_000))

/** An event of the series: start and end in minutes after noon, and other columns. */
type Window = [slug: string, start: number | null, end: number | null, more?: string]

beforeEach(() => read(`update event set series_slug = null, hidden_at = null, start_date = null, end_date = null`))

test.each<[what: string, windows: Window[], leads: string | null]>([
  [
    'to the one under way',
    [
      ['one', -5, 0],
      ['two', 0, 5],
      ['three', 5, 10],
    ],
    'two',
  ],
  [
    'to the one that begins now, not to the one that ends now',
    [
      ['one', -5, 0],
      ['two', 0, 5],
    ],
    'two',
  ],
  [
    'before the first begins to the next',
    [
      ['one', 10, 15],
      ['two', 5, 10],
    ],
    'two',
  ],
  [
    'in a gap to the next, however long ago the last was',
    [
      ['one', -6, -1],
      ['two', 60, 65],
    ],
    'two',
  ],
  [
    'after the last to the last',
    [
      ['one', -15, -10],
      ['two', -10, -5],
    ],
    'two',
  ],
  [
    'past one that is hidden',
    [
      ['one', -5, 0],
      ['two', 0, 5, `hidden_at = now()`],
      ['three', 5, 10],
    ],
    'three',
  ],
  [
    'past a draft',
    [
      ['one', 0, 5, `status = 'draft'`],
      ['two', 5, 10],
    ],
    'two',
  ],
  [
    'without beginnings to the one that ends next',
    [
      ['one', null, -5],
      ['two', null, 50],
      ['three', null, 20],
    ],
    'three',
  ],
  [
    'without beginnings to the one that ended last',
    [
      ['one', null, -50],
      ['two', null, -20],
    ],
    'two',
  ],
  ['nowhere when there is none', [], null],
])('the URL of a series leads %s', async (_, windows, leads) => {
  await read(`update event set status = 'active'`)
  for (const [slug, start, end, more] of windows)
    await read(`update event set series_slug = 'btc-usd-5m', start_date = ?, end_date = ?${more ? `, ${more}` : ''} where slug = ?`, [
      at(start),
      at(end),
      slug,
    ])
  const found = currentWindow(platform, { slug: 'btc-usd-5m' })
  if (leads === null) await expect(found).rejects.toMatchObject({ code: 'event_not_found' })
  else expect(await found).toBe(leads)
})

test('windows of another series do not count', async () => {
  await read(`update event set series_slug = 'eth-usd-5m', start_date = ?, end_date = ? where slug = 'one'`, [at(0), at(5)])
  await expect(currentWindow(platform, { slug: 'btc-usd-5m' })).rejects.toMatchObject({ code: 'event_not_found' })
})

test('however many windows a series has, beside as many other events, its event is found in indexes', async () => {
  await read(
    `insert into event (slug, title, creator, status, series_slug, start_date, end_date)
     select 'w-' || n, 'W', '0x' || repeat('c1', 20), 'active', case when n % 2 = 0 then 'btc-usd-5m' end, case when n % 2 = 0 then at end, at
     from generate_series(1, 3000) n cross join lateral (select now() + n * interval '5 minutes' as at) window_of`,
  )
  await read('vacuum analyze event')
  const values = [...Array.from({ length: 4 }, () => ['btc-usd-5m', platform.now()]).flat(), platform.now(), platform.now()]
  const plan = await platform.em().execute<{ 'QUERY PLAN': string }[]>(`explain ${NEAREST}`, values)
  const scans = plan.flatMap((row) => /(?<=Scan (?:Backward )?using )\w+(?= on event)/.exec(row['QUERY PLAN'])?.[0] ?? [])
  expect(scans).toEqual(['event_of_series', 'event_of_series', 'event_of_calendar', 'event_of_calendar'])
})
