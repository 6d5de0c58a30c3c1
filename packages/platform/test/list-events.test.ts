import { platformOperations } from '@augury/wire/platform/operations'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { anonymous } from '../src/authorization/viewer.ts'
import { listEvents } from '../src/events/list-events.ts'
import { discoveryEvent, openEvents, testPlatform } from './test-platform.ts'

const { platform } = await testPlatform()
const { query: schema, output } = platformOperations.listEvents

const list = async (query: Record<string, unknown>) => output.parse(await listEvents(platform, anonymous, { query: schema.parse(query) }))
const slugs = async (query: Record<string, unknown>) => (await list(query)).map(({ slug }) => slug).join(' ')

beforeAll(async () => {
  await openEvents(platform, [
    discoveryEvent('quiet', 'Who wins the election in Rome?', ['politics', 'elections'], [{ slug: 'quiet-1' }], { volume: 10 }),
    discoveryEvent('seeded', 'Who wins the election in Oslo?', ['politics', 'elections'], [{ slug: 'seeded-1' }], { volume: 900 }),
    discoveryEvent('busy', 'Champion of the 100% château league', ['sports', 'soccer'], [{ slug: 'busy-1', end: null }], {
      endDate: '2027-01-31T00:00:00Z',
    }),
    discoveryEvent('traded', 'Cup winner', ['sports'], [{ slug: 'traded-1', end: null }], { endDate: '2026-12-31T00:00:00Z' }),
    discoveryEvent('done', 'Cup winner of last year', ['sports'], [{ slug: 'done-1' }]),
    discoveryEvent('shut', 'Cup that was called off', ['sports'], [{ slug: 'shut-1' }]),
  ])
  const em = platform.em()
  await em.execute(`update event set volume_24h = 5000000, volume = 7000000 where slug = 'busy'`)
  await em.execute(`update event set volume = 9000000 where slug = 'traded'`)
  await em.execute(`update event set status = 'resolved', active_markets_count = 0, resolved_at = now() where slug = 'done'`)
  await em.execute(`update event set status = 'archived', active_markets_count = 0 where slug = 'shut'`)
  await em.execute(
    `update event set created_at = now() + case slug when 'quiet' then interval '3 s' when 'seeded' then interval '2 s' else '0 s' end`,
  )
  await em.execute(`update event set created_at = now() + interval '1 s' where slug = 'busy'`)
  await em.execute(
    `insert into event (slug, title, creator) values ('bare', 'Cup without a market', '0x00000000000000000000000000000000000000c1')`,
  )
})

const LISTS: [what: string, query: Record<string, unknown>, slugs: string][] = [
  ['by default the active ones: 24-hour volume, volume, then the ranking of the catalogue', {}, 'busy traded seeded quiet'],
  ['trending is the default', { tag: 'trending' }, 'busy traded seeded quiet'],
  ['new ones first', { tag: 'new' }, 'quiet seeded busy traded'],
  ['by tag', { tag: 'elections' }, 'seeded quiet'],
  ['by main category', { mainTag: 'sports' }, 'busy traded'],
  ['a sub-category is no main category', { mainTag: 'soccer' }, ''],
  ['by tag and main category', { mainTag: 'sports', tag: 'soccer' }, 'busy'],
  ['an unknown tag has no events', { tag: 'knitting' }, ''],
  ['every word must occur, in any case and order', { search: 'rome WINS' }, 'quiet'],
  ['part of a word is enough', { search: 'elect' }, 'seeded quiet'],
  ['a word that does not occur', { search: 'election moon' }, ''],
  ['a percent sign is no wildcard', { search: '100%' }, 'busy'],
  ['an underscore is none', { search: 'r_me' }, ''],
  ['a backslash and quotes are no letters', { search: `cup\\ ''"` }, 'traded'],
  ['without letters nothing is found', { search: `%_\\'!&|:*()` }, ''],
  ['a word in the letters of any language and any width', { search: 'CHÂTEAU ＯＦ' }, 'busy'],
  ['two letters, and one', { search: 'ro w' }, 'quiet'],
  ['a blank search is none', { search: '  ' }, 'busy traded seeded quiet'],
  ['resolved ones', { status: 'resolved' }, 'done'],
  ['all but drafts', { status: 'all', search: 'cup' }, 'traded done shut'],
  ['by volume', { sort: 'volume' }, 'traded busy seeded quiet'],
  ['by 24-hour volume', { sort: 'volume_24h' }, 'busy traded seeded quiet'],
  ['newest first', { sort: 'created_at' }, 'quiet seeded busy traded'],
  ['soonest end first', { sort: 'end_date', mainTag: 'sports' }, 'traded busy'],
  ['a sort wins over the tag', { tag: 'new', sort: 'volume' }, 'traded busy seeded quiet'],
  ['a page', { offset: '1', limit: '2' }, 'traded seeded'],
  ['a page beyond the end', { offset: '9' }, ''],
  ['nonsense in offset and limit is forgiven', { offset: '-5', limit: 'many' }, 'busy traded seeded quiet'],
  ['bookmarks need a session', { bookmarked: 'true' }, ''],
  ['any locale', { locale: 'de', limit: '1' }, 'busy'],
]

test.each(LISTS)('%s', async (_, query, expected) => {
  expect(await slugs(query)).toBe(expected)
})

test.each([
  [{ status: 'open' }, 'Invalid status filter.'],
  [{ status: 'toString' }, 'Invalid status filter.'],
  [{ sort: 'price' }, 'Invalid sort filter.'],
])('%o is refused', async (query, text) => {
  await expect(list(query)).rejects.toThrow(text)
})

test('the limit is clamped to 128', () => {
  expect([schema.parse({ limit: '500' }).limit, schema.parse({ limit: '0' }).limit, schema.parse({}).limit]).toEqual([128, 1, 32])
})

test.each(['10001', '1000000', '99999999999999999999'])('a list has ended before %s events', async (offset) => {
  expect(await slugs({ offset })).toBe('')
  expect(await slugs({ offset, search: 'cup' })).toBe('')
})

test('of more than ten thousand events, more than so many are not skipped', async () => {
  const many = await testPlatform(onTestFinished)
  await many.platform.em().execute(`
    insert into event (slug, title, creator, status)
    select 'event-' || n, 'Event ' || n, '0x' || repeat('c1', 20), 'active' from generate_series(1, 10002) n`)
  const count = async (offset: string) => (await listEvents(many.platform, anonymous, { query: schema.parse({ offset }) })).length
  expect(await count('10000')).toBe(2)
  await expect(count('10001')).rejects.toThrow('Invalid offset: at most 10000')
  await expect(count('99999999999999999999')).rejects.toThrow('Invalid offset: at most 10000')
})

test('a word in very many titles still finds the first events, and changed titles', async () => {
  const many = await testPlatform(onTestFinished)
  await many.platform.em().execute(`
    insert into event (slug, title, creator, status, volume)
    select 'event-' || n, case when n > 5998 then 'Rare ' else 'Will ' end || n || ' COME?', '0x' || repeat('c1', 20), 'active', n from generate_series(1, 6000) n`)
  const found = async (search: string, offset = '0') =>
    (await listEvents(many.platform, anonymous, { query: schema.parse({ search, limit: '2', offset }) })).map(({ slug }) => slug).join(' ')
  expect(await found('come')).toBe('event-6000 event-5999')
  expect(await found('come', '800')).toBe('event-5200 event-5199')
  expect(await found('come', '5000')).toBe('event-1000 event-999')
  expect(await found('co', '5000')).toBe('event-1000 event-999')
  expect(await found('co WILL')).toBe('event-5998 event-5997')
  expect(await found('will 5_980')).toBe('event-5980')
  expect(await found('599 ＣＯ will')).toBe('event-599 event-5998')
  expect(await found('co 99 qz')).toBe('')
  expect(await found('rare')).toBe('event-6000 event-5999')
  await many.platform.em().execute(`update event set title = 'Otherwise' where slug = 'event-6000'`)
  expect(await found('rare')).toBe('event-5999')
  expect(await found('OTHER')).toBe('event-6000')
})

test('an event has its markets, tags and totals as specified', async () => {
  await platform
    .em()
    .execute(
      `update market set price = 5350.5, best_bid = 5300, best_ask = 5401, volume = 1500000, liquidity = 250000 where slug = 'busy-1'`,
    )
  const [event] = await list({ limit: '1' })
  const [market] = event!.markets
  expect(event).toMatchObject({
    slug: 'busy',
    creator: '0x00000000000000000000000000000000000000C1',
    status: 'active',
    volume: 7,
    volume_24h: 5,
    end_date: '2027-01-31T00:00:00.000Z',
    main_tag: 'sports',
    tags: [
      { name: 'Sports', slug: 'sports', isMainCategory: true },
      { name: 'Soccer', slug: 'soccer', isMainCategory: false },
    ],
    is_trending: true,
    is_bookmarked: false,
  })
  expect(market).toMatchObject({ price: 0.53505, probability: 53.505, volume: 1.5, market_rules: '', end_time: '2027-01-31T00:00:00.000Z' })
  expect(market!.outcomes.map(({ outcome_text, buy_price, sell_price }) => [outcome_text, buy_price, sell_price])).toEqual([
    ['Yes', 0.5401, 0.53],
    ['No', 0.47, 0.4599],
  ])
})

test('a market without quotes or trades has no price; a bid, a trade or a result is one', async () => {
  const em = platform.em()
  const priced = async (change: string) => {
    await em.execute(`update market set ${change} where slug = 'busy-1'`)
    const market = (await list({ limit: '1' }))[0]!.markets.find(({ slug }) => slug === 'busy-1')!
    return [market.price, market.probability]
  }
  const [before]: Record<string, unknown>[] = await em.execute(
    `select price, best_bid, best_ask, last_trade from market where slug = 'busy-1'`,
  )
  expect(await priced('price = 5000, best_bid = null, best_ask = null, last_trade = null')).toEqual([null, null])
  expect(await priced('last_trade = 4000, price = 4000')).toEqual([0.4, 40])
  expect(await priced('last_trade = null, best_bid = 100, price = 100')).toEqual([0.01, 1])
  await em.execute(`update market set price = ?, best_bid = ?, best_ask = ?, last_trade = ? where slug = 'busy-1'`, Object.values(before!))
})

test('a market in which trading was stopped is reported as paused, one that has its result or that trades is not', async () => {
  const pausedIn = async () => (await list({ limit: '1', status: 'active' }))[0]!.markets.map(({ is_paused }) => is_paused)
  const em = platform.em()
  expect(await pausedIn()).not.toContain(true)
  await em.execute(`update event set paused_at = now() where slug = 'busy'`)
  await em.execute(`update market set is_active = false where slug = 'busy-1'`)
  expect(await pausedIn()).toContain(true)
  await em.execute(`update event set paused_at = null where slug = 'busy'`)
  expect(await pausedIn()).not.toContain(true)
  await em.execute(`update market set is_active = true where slug = 'busy-1'`)
})
