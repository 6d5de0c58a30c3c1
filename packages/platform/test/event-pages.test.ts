import { adminCategoryOperations } from '@augury/wire/platform/admin-categories'
import { platformOperations } from '@augury/wire/platform/operations'
import { platformPageQueries } from '@augury/wire/platform/page-queries'
import { beforeAll, expect, test } from 'vitest'
import { listCategories } from '../src/admin/categories.ts'
import { anonymous } from '../src/authorization/viewer.ts'
import { chanceLines } from '../src/events/chance-lines.ts'
import { eventBySlug } from '../src/events/event-by-slug.ts'
import { mainTags } from '../src/events/main-tags.ts'
import { marketMetadata } from '../src/events/market-metadata.ts'
import { marketsStatus } from '../src/events/markets-status.ts'
import { relatedEvents } from '../src/events/related-events.ts'
import { discoveryEvent, openEvents, testPlatform } from './test-platform.ts'

const { platform } = await testPlatform()
const conditions = new Map<string, string>()
const condition = (slug: string) => conditions.get(slug)!

beforeAll(async () => {
  await openEvents(platform, [
    discoveryEvent(
      'race',
      'Who wins the race?',
      ['sports', 'running', 'olympics'],
      [
        { slug: 'anna', price: 0.2 },
        { slug: 'berta', price: 0.6 },
        { slug: 'clara', price: 0.1 },
      ],
      { negRisk: true },
    ),
    discoveryEvent('relay', 'Who wins the relay?', ['sports', 'running', 'olympics'], [{ slug: 'relay-1' }], { volume: 5 }),
    discoveryEvent('jog', 'Will he jog?', ['sports', 'running'], [{ slug: 'jog-1' }], { volume: 9 }),
    discoveryEvent('match', 'Who wins the match?', ['sports'], [{ slug: 'match-1' }], { volume: 1 }),
    discoveryEvent('bout', 'Who wins the bout?', ['sports'], [{ slug: 'bout-1' }], { volume: 2 }),
    discoveryEvent(
      'vote',
      'Who wins the vote?',
      ['politics'],
      [
        { slug: 'vote-late', end: '2027-05-01' },
        { slug: 'vote-soon', end: '2027-01-01' },
      ],
    ),
  ])
  for (const { slug, condition_id } of await platform
    .em()
    .execute<{ slug: string; condition_id: string }[]>('select slug, condition_id from market'))
    conditions.set(slug, condition_id)
})

test('an event page has every text, the favourite first', async () => {
  const event = platformPageQueries.eventBySlug.output.parse(await eventBySlug(platform, anonymous, { slug: 'race' }))
  expect(event.markets.map(({ slug }) => slug)).toEqual(['berta', 'anna', 'clara'])
  expect(event.markets[0]?.market_rules).toContain('It is one of the markets of “Who wins the race?”')
})

test('independent markets are ordered by their end', async () => {
  const event = await eventBySlug(platform, anonymous, { slug: 'vote' })
  expect(event.markets.map(({ slug }) => slug)).toEqual(['vote-soon', 'vote-late'])
})

test('an unknown event is refused', async () => {
  await expect(eventBySlug(platform, anonymous, { slug: 'nothing' })).rejects.toMatchObject({
    code: 'event_not_found',
    message: 'Event not found.',
  })
})

const metadata = async (slug: string, conditionId: string | undefined) =>
  platformOperations.marketMetadata.output.parse(await marketMetadata(platform, { params: { slug }, query: { conditionId } }))

test('market-metadata finds a condition in any case', async () => {
  const { data } = await metadata('race', condition('anna').toUpperCase().replace('0X', '0x'))
  expect(data).toMatchObject({
    condition_id: condition('anna'),
    question: 'Will anna happen?',
    short_title: 'anna',
    neg_risk: true,
    neg_risk_market_id: expect.stringMatching(/^0x[0-9a-f]{62}00$/),
    is_active: true,
    is_resolved: false,
    condition: {
      id: condition('anna'),
      outcome_slot_count: 2,
      resolved: false,
      resolution_price: null,
      resolution_deadline_at: '2027-07-07T00:00:00.000Z',
    },
    outcomes: [
      { outcome_text: 'Yes', payout_value: null },
      { outcome_text: 'No', is_winning_outcome: false },
    ],
  })
})

test('market-metadata of a condition of another event is null', async () => {
  expect([await metadata('race', condition('jog-1')), await metadata('race', 'nonsense')]).toEqual([{ data: null }, { data: null }])
})

test.each([
  ['race', undefined, 'Missing conditionId.'],
  ['race', '', 'Missing conditionId.'],
  ['nothing', undefined, 'Missing conditionId.'],
  ['nothing', '0x1', 'Event not found.'],
])('market-metadata of %s without the right of %s says so', async (slug, id, text) => {
  await expect(metadata(slug, id)).rejects.toThrow(text)
})

test('a draft has no metadata', async () => {
  await platform.em().execute(`insert into event (slug, title, creator) values ('bare', 'Bare', '0x' || repeat('c1', 20))`)
  await expect(metadata('bare', '0x1')).rejects.toThrow('Event not found.')
})

test('a resolved market says what each outcome paid', async () => {
  const em = platform.em()
  await em.execute(
    `update market set is_active = false, is_resolved = true, resolution_status = 'confirmed', weight = 10000 where slug = 'bout-1'`,
  )
  await em.execute(
    `update market set is_active = false, is_resolved = true, resolution_status = 'confirmed', weight = 5000 where slug = 'match-1'`,
  )
  const outcomes = async (event: string, market: string) =>
    (await metadata(event, condition(market))).data!.outcomes.map(({ is_winning_outcome, payout_value }) => [
      is_winning_outcome,
      payout_value,
    ])
  expect(await outcomes('bout', 'bout-1')).toEqual([
    [true, 1],
    [false, 0],
  ])
  expect(await outcomes('match', 'match-1')).toEqual([
    [false, 0.5],
    [false, 0.5],
  ])
})

test('markets/status answers each known id once, in the order asked', async () => {
  const { data, next_cursor } = await marketsStatus(platform, [
    condition('vote-soon'),
    '0xdead',
    condition('bout-1').toUpperCase(),
    condition('vote-soon'),
  ])
  expect(next_cursor).toBe('LTE=')
  expect(data).toEqual([
    { condition_id: condition('vote-soon'), is_active: true, is_resolved: false },
    { condition_id: condition('bout-1'), is_active: false, is_resolved: true },
  ])
})

test('markets/status refuses a batch that is too large', () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => String(index))
  const message = (schema: { safeParse(value: unknown): { error?: { issues: { message: string }[] } } }, value: unknown) =>
    schema.safeParse(value).error?.issues[0]?.message
  const { marketsStatus: get, marketsStatusBatch: post } = platformOperations
  expect(message(get.query, { conditionIds: many(100).join(',') })).toBeUndefined()
  expect(message(get.query, { conditionIds: many(101) })).toBe('Too many condition ids.')
  expect(message(post.body, { conditionIds: many(500) })).toBeUndefined()
  expect(message(post.body, { conditionIds: many(501) })).toBe('Too many condition ids.')
})

const related = async (slug: string, tag?: string) =>
  (await relatedEvents(platform, { params: { slug }, query: { tag, locale: 'en' } })).map(
    ({ slug, common_tags_count }) => `${slug} ${common_tags_count}`,
  )

test.each([
  ['race', undefined, ['relay 3', 'jog 2', 'bout 1']],
  ['race', 'running', ['relay 3', 'jog 2']],
  ['vote', undefined, []],
  ['nothing', undefined, []],
])('related to %s with tag %s', async (slug, tag, expected) => {
  expect(await related(slug, tag)).toEqual(expected)
})

test('an unlisted event is not related to others, by itself or by its category', async () => {
  const em = platform.em()
  await em.execute(`update tag set hide_events = true where slug = 'olympics'`)
  await em.execute(`update event set hidden_at = now() where slug = 'bout'`)
  expect(await related('race')).toEqual(['jog 2', 'match 1'])
  await em.execute('update tag set hide_events = false')
  await em.execute('update event set hidden_at = null')
})

test('main categories come with their sub-categories, those with most events first', async () => {
  expect((await mainTags(platform)).map(({ slug, childs }) => [slug, childs.map(({ slug }) => slug)])).toEqual([
    ['sports', ['running', 'olympics']],
    ['politics', []],
  ])
})

test('an admin sees the tabs in the order of the site, even before they were ordered', async () => {
  const query = adminCategoryOperations.adminCategories.query.parse({})
  const tabs = async () =>
    (await listCategories(platform, { query })).data.filter(({ is_main_category }) => is_main_category).map(({ slug }) => slug)
  expect(await tabs()).toEqual((await mainTags(platform)).map(({ slug }) => slug))
  expect(await tabs()).toEqual(['sports', 'politics'])
})

test('a market without prices does not affect the chance of its event', async () => {
  const leaderOfRace = async () => {
    const events = await relatedEvents(platform, { params: { slug: 'relay' }, query: { locale: 'en' } })
    return events.filter(({ slug }) => slug === 'race').map((row) => [row.chance, row.leading, row.leading_market?.condition_id ?? null])
  }
  const em = platform.em()
  await em.execute('delete from price_point')
  await em.execute('delete from price_rollup')
  expect(await leaderOfRace()).toEqual([[null, null, null]])
  expect(await chanceLines(platform, { slug: 'race', range: 'all' })).toEqual([])

  await em.execute(`update market set price = 2000, last_trade = 2000 where slug = 'clara'`)
  await em.execute('insert into price_point (market_condition_id, minute, price) values (?, ?, ?)', [
    condition('clara'),
    platform.now(),
    2000,
  ])
  expect(await leaderOfRace()).toEqual([[20, 'clara', condition('clara')]])
})
