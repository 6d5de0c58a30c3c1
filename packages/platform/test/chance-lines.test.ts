import { expect, test } from 'vitest'
import { chanceLines } from '../src/events/chance-lines.ts'
import { notePrices } from '../src/prices/price-history.ts'
import { discoveryEvent, openEvents, testPlatform } from './test-platform.ts'

const { platform, clock } = await testPlatform()
await openEvents(platform, [
  discoveryEvent(
    'race',
    'Who wins the race?',
    ['sports'],
    [
      { slug: 'anna', price: 0.2 },
      { slug: 'berta', price: 0.6 },
      { slug: 'clara', price: 0.1 },
    ],
    { negRisk: true },
  ),
])
const known: { slug: string; condition_id: string }[] = await platform.em().execute('select slug, condition_id from market')
const conditions = new Map(known.map(({ slug, condition_id }) => [slug, condition_id]))
const condition = (slug: string) => conditions.get(slug)!

test('a chance line starts with the previous price, and keeps the last point of each interval', async () => {
  const start = clock.now()
  const at = (minutes: number) => new Date(start + minutes * 60_000)
  const points: [minutes: number, price: number][] = [
    [-90, 4000],
    [-59, 4100],
    [-30, 4200],
    [0, 4300],
  ]
  await notePrices(
    platform.em(),
    points.map(([minutes, price]) => ({ condition_id: condition('anna'), at: at(minutes), price })),
  )
  await platform.em().execute('update market set last_trade = 4300 where condition_id = ?', [condition('anna')])
  // This one never had a price: the placeholder of 0.5 is not drawn.
  await notePrices(platform.em(), [{ condition_id: condition('clara'), at: at(-30), price: 5000 }])

  const line = async (range: '1h' | '1d' | 'all') =>
    (await chanceLines(platform, { slug: 'race', range })).map(({ condition_id, history }) => [
      condition_id,
      history.map(({ t, p }) => [(t - start) / 60_000, p]),
    ])
  expect(await line('1h')).toEqual([
    [
      condition('anna'),
      [
        [-60, 0.4],
        [-59, 0.41],
        [-30, 0.42],
        [0, 0.43],
      ],
    ],
  ])
  expect(await line('all')).toEqual([
    [
      condition('anna'),
      [
        [-90, 0.4],
        [-59, 0.41],
        [-30, 0.42],
        [0, 0.43],
      ],
    ],
  ])
  expect((await line('1d'))[0]?.[1]).toHaveLength(4)

  const named = async (...of: string[]) =>
    (await chanceLines(platform, { slug: 'race', range: '1h', of })).map(({ condition_id }) => condition_id)
  expect(await named(condition('clara'), condition('anna'))).toEqual([condition('anna')])
  expect(await named(condition('clara'))).toEqual([])
  await expect(chanceLines(platform, { slug: 'nothing', range: 'all' })).rejects.toThrow('Event not found.')
})

test('the line of a resolved event ends with its resolution, and is as fine as its length allows', async () => {
  const minute = (t: number) => (t - clock.now()) / 60_000
  const mark = (status: string, at: Date | null) =>
    platform.em().execute(`update event set status = ?, resolved_at = ? where slug = 'race'`, [status, at])
  await mark('resolved', new Date(clock.now() - 15 * 60_000))
  const line = async (range: '1h' | '1m') => {
    const [anna] = await chanceLines(platform, { slug: 'race', range, of: [condition('anna')] })
    return anna!.history.map(({ t, p }) => [minute(t), p])
  }
  const end = [
    [-59, 0.41],
    [-30, 0.42],
    [-15, 0.43],
  ]
  expect(await line('1h')).toEqual([[-75, 0.4], ...end])
  expect(await line('1m')).toEqual([[-90, 0.4], ...end])
  await mark('active', null)
})

test('a line of intervals has the changes right after its start', async () => {
  clock.advance(150_000) // the range starts within an interval
  const begin = clock.now() - 7 * 86_400_000
  const noted = [
    [-600_000, 1000],
    [60_000, 2000],
  ] as const
  await notePrices(
    platform.em(),
    noted.map(([after, price]) => ({ condition_id: condition('anna'), at: new Date(begin + after), price })),
  )
  const [line] = await chanceLines(platform, { slug: 'race', range: '1w' })
  expect(line!.history.slice(0, 2)).toEqual([
    { t: begin, p: 0.1 },
    { t: begin + 150_000, p: 0.2 },
  ])
  clock.advance(-150_000)
})

test('what is still open leads the lines, before what is decided', async () => {
  const slugs = ['may', 'june', 'july', 'august', 'never']
  await openEvents(platform, [
    discoveryEvent(
      'when',
      'When does it rain?',
      ['culture'],
      slugs.map((slug) => ({ slug, price: 0.3 })),
    ),
  ])
  const em = platform.em()
  const rows: { slug: string; condition_id: string }[] = await em.execute(
    'select slug, condition_id from market where slug = any(?::text[])',
    [`{${slugs.join()}}`],
  )
  const idOf = new Map(rows.map((row) => [row.slug, row.condition_id]))
  const prices = { may: 10_000, june: 3000, july: 4000, august: 5000, never: 2000 }
  for (const [slug, price] of Object.entries(prices)) {
    await notePrices(em, [{ condition_id: idOf.get(slug)!, at: platform.now(), price }])
    await em.execute('update market set price = ?, last_trade = 5000 where condition_id = ?', [price, idOf.get(slug)!])
  }
  await em.execute(
    `update market set is_resolved = true, is_active = false, weight = 10000, resolution_status = 'confirmed' where condition_id = ?`,
    [idOf.get('may')!],
  )
  const leading = (await chanceLines(platform, { slug: 'when', range: 'all' })).map(({ condition_id }) => condition_id)
  expect(leading).toEqual(['august', 'july', 'june', 'never'].map((slug) => idOf.get(slug)))
})
