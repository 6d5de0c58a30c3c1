import { platformOperations } from '@augury/wire/platform/operations'
import { beforeAll, expect, test } from 'vitest'
import { anonymous } from '../src/authorization/viewer.ts'
import { listEvents } from '../src/events/list-events.ts'
import { keepTranslation } from '../src/translations/translations.ts'
import { discoveryEvent, openEvents, testPlatform } from './test-platform.ts'

const { platform } = await testPlatform()
const { query: schema, output } = platformOperations.listEvents
const em = platform.em()

const find = async (search: string, more: Record<string, string> = {}) =>
  output.parse(await listEvents(platform, anonymous, { query: schema.parse({ search, ...more }) }))
const slugs = async (search: string, more: Record<string, string> = {}) => (await find(search, more)).map(({ slug }) => slug).join(' ')

const outcomes = (event: string, names: string[]) => ({
  markets: names.map((name, nth) => ({
    question: `${name}?`,
    slug: `${event}-${nth}`,
    groupItemTitle: name,
    outcomes: '["Yes", "No"]',
    outcomePrices: '["0.5", "0.5"]',
    volumeNum: 1,
    endDate: '2027-06-30T00:00:00Z',
    orderPriceMinTickSize: 0.01,
    orderMinSize: 5,
  })),
})
const event = (slug: string, title: string, tags: string[], names: string[] = ['Yes'], more: Record<string, unknown> = {}) =>
  discoveryEvent(slug, title, tags, [], { ...outcomes(slug, names), ...more })

beforeAll(async () => {
  await openEvents(platform, [
    event('nominee', 'Presidential Nominee 2028', ['politics'], ['Gavin Newsom', 'JD Vance', 'Ruben Gallego'], { volume: 900 }),
    event('newsom', 'Will Newsom run in 2028?', ['politics'], ['Yes'], { volume: 1 }),
    event('newsomania', 'Newsomania on tour', ['music'], ['Yes'], { volume: 5 }),
    event('ended', 'Did Newsom run in 2024?', ['politics'], ['Yes'], { volume: 800 }),
    event('cup', 'World Cup Winner', ['sports'], ['France', 'Türkiye', 'Côte d’Ivoire'], { volume: 700 }),
    event('bitcoin', 'Bitcoin above $150,000?', ['crypto'], ['Yes'], { volume: 300 }),
    event('fight', 'Ali against Foreman', ['boxing'], ['Ali wins'], { volume: 200 }),
    event('cinema', 'Dune opens', ['movies'], ['Yes'], { volume: 100 }),
    event('chinese', '特朗普会赢得选举吗？', ['politics'], ['Yes'], { volume: 2 }),
  ])
  await em.execute(`update event set status = 'resolved', active_markets_count = 0, resolved_at = now() where slug = 'ended'`)
})

test.each([
  ['an outcome', 'vance', 'nominee'],
  ['titles first, whole words before beginnings, then outcomes', 'newsom', 'newsom newsomania nominee'],
  ['words of title and outcome in any order', '2028 gallego', 'nominee'],
  ['an accent that is not typed', 'turkiye', 'cup'],
  ['an apostrophe of a keyboard', "cote d'ivoire", 'cup'],
  ['an alias', 'btc 150k', 'bitcoin'],
  ['a category', 'boxing', 'fight'],
  ['a category in Spanish', 'deportes', 'cup'],
  ['a category in Arabic', 'أفلام', 'cinema'],
  ['a plural', 'nominees', 'nominee'],
  ['a typing error', 'vnace', 'nominee'],
  ['an error in a category', 'boxxing', 'fight'],
  ['Chinese', '赢得选举', 'chinese'],
  ['another Chinese word', '输掉选举', ''],
  ['nothing', 'xyzzyq', ''],
])('%s: %s', async (_, search, expected) => {
  expect(await slugs(search)).toBe(expected)
})

test('events that are open come before ended ones that match as well', async () => {
  expect(await slugs('newsom run', { status: 'all' })).toBe('newsom ended')
  expect(await slugs('newsom', { status: 'all' })).toBe('newsom ended newsomania nominee')
  expect(await slugs('newsom', { status: 'resolved' })).toBe('ended')
})

test('a search keeps to filters, pages and a sort of its own', async () => {
  expect(await slugs('newsom', { tag: 'politics' })).toBe('newsom nominee')
  expect(await slugs('newsom', { mainTag: 'politics', limit: '1', offset: '1' })).toBe('nominee')
  expect(await slugs('newsom', { sort: 'end_date', limit: '9' })).toMatch(/nominee/)
  await em.execute(`update event set volume = 5000000 where slug = 'nominee'`)
  expect(await slugs('newsom', { sort: 'volume' })).toMatch(/^nominee /)
  const pages = await Promise.all(['0', '1', '2', '3'].map((offset) => slugs('newsom', { limit: '1', offset })))
  expect(pages).toEqual(['newsom', 'newsomania', 'nominee', ''])
  expect(await slugs('vnace', { offset: '1' })).toBe('')
})

test('a result says which outcome was found, and nothing when the title has it', async () => {
  const [nominee] = await find('vance nominee')
  const vance = nominee!.markets.find(({ short_title }) => short_title === 'JD Vance')!
  expect(nominee!.matched_outcome).toEqual({
    condition_id: vance.condition_id,
    outcome_index: 0,
    token_id: vance.outcomes[0]!.token_id,
    name: 'JD Vance',
  })
  expect((await find('nominee'))[0]!.matched_outcome).toBe(null)
  expect((await find('vnace'))[0]!.matched_outcome!.name).toBe('JD Vance')
  expect('matched_outcome' in output.parse(await listEvents(platform, anonymous, { query: schema.parse({}) }))[0]!).toBe(false)
})

test('what changes is found by its new words at once, and what is hidden not at all', async () => {
  await em.execute(`update event set title = 'Frazier and Foreman' where slug = 'fight'`)
  expect([await slugs('frazier'), await slugs('against')]).toEqual(['fight', ''])
  await em.execute(`update market set short_title = 'Joe Frazier', question = 'Joe?' where slug = 'fight-0'`)
  expect([await slugs('joe'), await slugs('ali')]).toEqual(['fight', ''])
  await em.execute(`update tag set name = 'Pugilism' where slug = 'boxing'`)
  expect(await slugs('pugilism')).toBe('fight')
  const [{ id }] = await em.execute<[{ id: string }]>(`select id from event where slug = 'fight'`)
  await keepTranslation(em, { kind: 'event', id }, { locale: 'es', text: 'Combate del siglo', byPerson: true }, platform.now())
  expect(await slugs('combate')).toBe('fight')
  await em.execute(`update event set hidden_at = now() where slug = 'fight'`)
  expect([await slugs('frazier'), await slugs('combate', { status: 'all' })]).toEqual(['', ''])
  await em.execute(`update event set hidden_at = null, is_shown = false where slug = 'fight'`)
  expect(await slugs('frazier')).toBe('')
})

test('the best of very many come first on every page', async () => {
  await em.execute(`
    insert into event (slug, title, creator, status, volume, resolved_at)
    select 'many-' || n, case when n % 1000 = 0 then 'Zebra ' || n when n % 2 = 0 then 'Zebras ' || n else 'Horse ' || n end, '0x' || repeat('c1', 20),
      case when n % 4 = 0 then 'resolved' else 'active' end, n, case when n % 4 = 0 then now() end
    from generate_series(1, 9999) n`)
  const first = await slugs('zebra', { status: 'all', limit: '11' })
  expect(first.split(' ').slice(0, 9).sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => `many-${n}000`))
  const whole = (await slugs('zebra', { status: 'all', limit: '128' })).split(' ')
  const paged: string[] = []
  for (let offset = 0; offset < 128; offset += 16)
    paged.push(...(await slugs('zebra', { status: 'all', limit: '16', offset: String(offset) })).split(' '))
  expect(paged).toEqual(whole)
  expect(await slugs('zebra', { status: 'all', limit: '2', offset: '4998' })).toBe('many-4')
})
