import { readFileSync } from 'node:fs'
import { conditionId, negRiskMarketId, questionId, tokenId } from '@augury/signing/ids'
import { type ConditionRequest, conditionRequest } from '@augury/wire/condition-request'
import { expect, onTestFinished, test } from 'vitest'
import { anonymous } from '../src/authorization/viewer.ts'
import { invalidate } from '../src/cache/generations.ts'
import { importCatalogue } from '../src/catalogue/import-catalogue.ts'
import { registerMarkets } from '../src/catalogue/register-markets.ts'
import { seedCategories } from '../src/catalogue/usual-categories.ts'
import { eventBySlug } from '../src/events/event-by-slug.ts'
import { mainTags } from '../src/events/main-tags.ts'
import type { Platform } from '../src/site/platform.ts'
import { CREATOR, discoveryEvent, testPlatform } from './test-platform.ts'

/** A fake exchange that stores markets, derives ids like the real one, and refuses other content under the same slug. */
function fakeRegistry() {
  const kept = new Map<string, ConditionRequest>()
  return {
    kept,
    async register(request: ConditionRequest) {
      conditionRequest.parse(request)
      const before = kept.get(request.question_slug)
      if (before && JSON.stringify(before) !== JSON.stringify(request))
        throw new Error(`${request.question_slug} is registered with other content`)
      kept.set(request.question_slug, request)
      const question_id = questionId(CREATOR, request.question_slug)
      const condition_id = conditionId(CREATOR, question_id)
      const event = request.neg_risk_event
      return {
        condition_id,
        question_id,
        neg_risk_market_id: event ? negRiskMarketId(CREATOR, event.slug) : null,
        tokens: request.outcomes.map((outcome, index) => ({ token_id: tokenId(condition_id, index as 0 | 1), outcome })),
      }
    },
  }
}

const rows = [
  discoveryEvent('race', 'Who wins the race?', ['sports', 'running'], [{ slug: 'anna' }, { slug: 'berta' }, { slug: 'clara' }], {
    negRisk: true,
    volume: 7,
  }),
  discoveryEvent('vote', 'When is the vote?', ['politics'], [{ slug: 'vote-may', price: 0.333 }]),
]
interface EventLine {
  slug: string
  status: string
  active: number
  total: number
}
const events = (platform: Platform): Promise<EventLine[]> =>
  platform.em().execute('select slug, status, active_markets_count as active, total_markets_count as total from event order by slug')

test('a whole file is imported: stored, registered, opened', async () => {
  const { platform } = await testPlatform(onTestFinished)
  const { kept, register } = fakeRegistry()
  await seedCategories(platform)
  const seen: [number, number][] = []
  const report = await importCatalogue(platform, {
    text: JSON.stringify(rows),
    creator: CREATOR,
    register,
    progress: (...step) => seen.push(step),
  })
  expect(report).toMatchObject({ events: 2, markets: 4, stored: 4, registered: 4, findings: [{ kind: 'price_adjusted' }] })
  expect(seen).toEqual([
    [1, 4],
    [2, 4],
    [3, 4],
    [4, 4],
  ])
  expect(await events(platform)).toEqual([
    { slug: 'race', status: 'active', active: 3, total: 3 },
    { slug: 'vote', status: 'active', active: 1, total: 1 },
  ])
  expect(kept.get('anna')).toMatchObject({
    outcomes: ['Yes', 'No'],
    tick_size: '0.01',
    min_size: '5',
    fee_rate_bps: 300,
    neg_risk_event: { slug: 'race', size: 3 },
    metadata: {
      short_title: 'anna',
      event: {
        slug: 'race',
        tags: [
          { slug: 'sports', name: 'Sports' },
          { slug: 'running', name: 'Running' },
        ],
      },
    },
  })
  expect(kept.get('vote-may')?.neg_risk_event).toBeUndefined()
})

test('lists computed during the import are invalidated once, after it', async () => {
  const { platform } = await testPlatform(onTestFinished)
  const { register } = fakeRegistry()
  const bring = () => importCatalogue(platform, { text: JSON.stringify(rows), creator: CREATOR, register })
  const turned = () => platform.em().execute("select generation::int from cache_tag where tag = 'lists'")
  await bring()
  expect(await turned()).toEqual([{ generation: 1 }])
  await bring()
  expect(await turned()).toEqual([{ generation: 1 }])
})

test('a new site has the usual categories with translations, which operators may change', async () => {
  const { platform } = await testPlatform(onTestFinished)
  const { register } = fakeRegistry()
  await seedCategories(platform)
  const bring = () => importCatalogue(platform, { text: JSON.stringify(rows), creator: CREATOR, register })
  const tabs = async (locale: string) => (await mainTags(platform, { locale })).map(({ name }) => name).sort()
  await bring()
  expect([await tabs('en'), await tabs('es'), await tabs('ar')]).toEqual([
    ['Politics', 'Sports'],
    ['Deportes', 'Política'],
    ['رياضة', 'سياسة'],
  ])
  const race = await eventBySlug(platform, anonymous, { slug: 'race', locale: 'es' })
  expect(race.tags.map(({ name }) => name)).toEqual(['Deportes', 'Running'])

  const em = platform.em()
  await em.execute("delete from translation where subject = (select id from tag where slug = 'sports') and locale = 'es'")
  await invalidate(em, ['lists'])
  await seedCategories(platform)
  await bring()
  expect(await tabs('es')).toEqual(['Política', 'Sports'])
})

test('a category whose name asks for an order of events is left out, because it could not be found', async () => {
  const { platform } = await testPlatform(onTestFinished)
  const { register } = fakeRegistry()
  const listed = discoveryEvent('storm', 'Will there be a storm?', ['trending', 'weather', 'new'], [{ slug: 'storm-may' }])
  await importCatalogue(platform, { text: JSON.stringify([listed]), creator: CREATOR, register })
  const tags: { slug: string; is_main_category: boolean }[] = await platform.em().execute('select slug, is_main_category from tag')
  expect(tags).toEqual([{ slug: 'weather', is_main_category: false }])
  expect((await eventBySlug(platform, anonymous, { slug: 'storm' })).main_tag).toBe('weather')
})

test('importing the same file again changes nothing, even a year later', async () => {
  const { platform, clock } = await testPlatform(onTestFinished)
  const { kept, register } = fakeRegistry()
  const run = () => importCatalogue(platform, { text: JSON.stringify(rows), creator: CREATOR, register })
  await run()
  const before = JSON.stringify([...kept])
  clock.advance(400 * 86_400_000)
  expect(await run()).toMatchObject({ stored: 0, registered: 0 })
  expect(JSON.stringify([...kept])).toBe(before)
})

test.each([1, 2, 3, 4])('an import that dies at market %i continues where it stopped', async (fatal) => {
  const { platform } = await testPlatform(onTestFinished)
  const { kept, register } = fakeRegistry()
  let calls = 0
  const dying = async (request: ConditionRequest) => {
    if (++calls === fatal) throw new Error('the exchange went away')
    return register(request)
  }
  const text = JSON.stringify(rows)
  await expect(importCatalogue(platform, { text, creator: CREATOR, register: dying })).rejects.toThrow('went away')
  const { registered } = await importCatalogue(platform, { text, creator: CREATOR, register })
  expect(registered).toBeGreaterThan(0)
  expect([kept.size, (await events(platform)).map(({ status }) => status)]).toEqual([4, ['active', 'active']])
})

const cup = () => discoveryEvent('cup', 'Who wins the cup?', ['sports'], [{ slug: 'x' }, { slug: 'y' }, { slug: 'z' }], { negRisk: true })

test.each([{ outcomes: 'nonsense' }, { slug: 'x' }, { question: '' }, { closed: true }])(
  'an event of which one market wins is stored whole or not at all: not with %j, and the corrected file brings all of it',
  async (fault) => {
    const { platform } = await testPlatform(onTestFinished)
    const { kept, register } = fakeRegistry()
    const broken = cup()
    Object.assign(broken.markets[1]!, fault)
    const first = await importCatalogue(platform, { text: JSON.stringify([broken]), creator: CREATOR, register })
    expect([first.stored, first.registered, first.findings.at(-1)?.kind]).toEqual([0, 0, 'event_skipped'])
    expect([kept.size, await events(platform)]).toEqual([0, []])

    const second = await importCatalogue(platform, { text: JSON.stringify([cup()]), creator: CREATOR, register })
    expect([second.stored, second.registered]).toEqual([3, 3])
    expect([...kept.values()].map(({ neg_risk_event }) => neg_risk_event?.size)).toEqual([3, 3, 3])
  },
)

test('a registered event of which one market wins accepts no further one, and none that belongs elsewhere', async () => {
  const { platform } = await testPlatform(onTestFinished)
  const { kept, register } = fakeRegistry()
  await seedCategories(platform)
  const bring = (...file: unknown[]) => importCatalogue(platform, { text: JSON.stringify(file), creator: CREATOR, register })
  const two = cup()
  two.markets.pop()
  await bring(two)
  expect(await bring(cup())).toMatchObject({ stored: 0, registered: 0, findings: [{ kind: 'membership_fixed', place: '[0]' }] })
  expect(await bring({ ...cup(), slug: 'other-cup' })).toMatchObject({
    stored: 0,
    findings: [{ kind: 'duplicate' }, { kind: 'duplicate' }, { kind: 'event_skipped' }],
  })
  expect(await bring({ ...cup(), negRisk: false })).toMatchObject({ stored: 0, findings: [{ kind: 'membership_fixed' }] })
  expect([...kept.keys()]).toEqual(['x', 'y'])
})

test('a file makes no navigation, and a hidden event stays out of lists', async () => {
  const { platform } = await testPlatform(onTestFinished)
  const { register } = fakeRegistry()
  await seedCategories(platform)
  const bring = (...file: unknown[]) => importCatalogue(platform, { text: JSON.stringify(file), creator: CREATOR, register })
  await bring(
    discoveryEvent('storm', 'Storm?', ['breaking', 'climate', 'science'], [{ slug: 'storm-may' }]),
    discoveryEvent('secret', 'Secret?', ['tech'], [{ slug: 'secret-may' }], { hidden: true }),
  )
  expect(await mainTags(platform)).toMatchObject([{ slug: 'science', childs: [{ slug: 'climate' }] }])
  expect((await eventBySlug(platform, anonymous, { slug: 'storm' })).main_tag).toBe('science')
  const [arranged]: { n: number }[] = await platform
    .em()
    .execute(
      `select count(*)::int as n from tag where slug = 'breaking' and not is_main_category and id not in (select child_id from tag_parent)`,
    )
  expect(arranged!.n).toBe(1)
})

test('a category that an admin hides is the main one of no import, and the usual ones do not come back', async () => {
  const { platform } = await testPlatform(onTestFinished)
  const { register } = fakeRegistry()
  await seedCategories(platform)
  const em = platform.em()
  await em.execute(`update tag set is_hidden = true, arranged_at = now() where slug = 'sports'`)
  await em.execute(`delete from tag where slug = 'crypto'`)
  await seedCategories(platform)
  expect(await em.execute(`select 1 from tag where slug = 'crypto'`)).toEqual([])
  const listed = discoveryEvent('race', 'Race?', ['sports', 'politics'], [{ slug: 'anna' }])
  await importCatalogue(platform, { text: JSON.stringify([listed]), creator: CREATOR, register })
  expect((await eventBySlug(platform, anonymous, { slug: 'race' })).main_tag).toBe('politics')
})

test('a plain event may get more markets, and a market stays with its first event', async () => {
  const { platform } = await testPlatform(onTestFinished)
  const { kept, register } = fakeRegistry()
  await seedCategories(platform)
  const bring = (...file: unknown[]) => importCatalogue(platform, { text: JSON.stringify(file), creator: CREATOR, register })
  await bring(discoveryEvent('when', 'When?', ['tech'], [{ slug: 'may' }]))
  expect(await bring(discoveryEvent('when', 'When?', ['tech'], [{ slug: 'may' }, { slug: 'june' }]))).toMatchObject({
    stored: 1,
    registered: 1,
    findings: [],
  })
  expect(await bring(discoveryEvent('else', 'Else?', ['tech'], [{ slug: 'may' }]))).toMatchObject({
    stored: 0,
    findings: [{ kind: 'duplicate', text: 'the market may belongs to another event' }],
  })
  expect([[...kept.keys()], await events(platform)]).toEqual([['may', 'june'], [{ slug: 'when', status: 'active', active: 2, total: 2 }]])
})

test('an event ends with the last market that was added to it, and takes none whose dates were moved otherwise', async () => {
  const { platform, clock } = await testPlatform(onTestFinished)
  const { register } = fakeRegistry()
  await seedCategories(platform)
  const bring = (endDate: string, ...markets: { slug: string; end: string }[]) =>
    importCatalogue(platform, {
      text: JSON.stringify([discoveryEvent('when', 'When?', ['tech'], markets, { endDate })]),
      creator: CREATOR,
      register,
      reopen: true,
    })
  const end = async () => (await eventBySlug(platform, anonymous, { slug: 'when' })).end_date
  const [may, june, july] = [
    { slug: 'may', end: '2026-05-31' },
    { slug: 'june', end: '2026-06-30' },
    { slug: 'july', end: '2027-07-31' },
  ] as const
  await bring('2026-06-30', may)
  expect(await end()).toBe('2027-06-30T00:00:00.000Z')
  expect((await bring('2026-06-30', may, june)).stored).toBe(1)
  expect((await bring('2027-07-31', july)).stored).toBe(1)
  expect(await end()).toBe('2027-07-31T00:00:00.000Z')
  clock.advance(400 * 86_400_000)
  const late = await bring('2026-06-30', may, { slug: 'august', end: '2026-06-30' })
  expect([late.stored, late.findings.at(-1)?.kind]).toEqual([0, 'over'])
})

test('an exchange that derives other ids is refused', async () => {
  const { platform } = await testPlatform(onTestFinished)
  const { register } = fakeRegistry()
  const other = async (request: ConditionRequest) => ({ ...(await register(request)), condition_id: `0x${'0'.repeat(64)}` })
  await expect(importCatalogue(platform, { text: JSON.stringify(rows), creator: CREATOR, register: other })).rejects.toThrow(
    'the exchange derives',
  )
  expect((await events(platform)).map(({ status }) => status)).toEqual(['archived', 'archived'])
})

test('markets of another creator are not changed', async () => {
  const { platform } = await testPlatform(onTestFinished)
  const { register } = fakeRegistry()
  await expect(
    importCatalogue(platform, { text: JSON.stringify(rows), creator: CREATOR, register: () => Promise.reject(new Error('later')) }),
  ).rejects.toThrow()
  expect(await registerMarkets(platform, '0x00000000000000000000000000000000000000c2', register)).toBe(0)
})

test('the whole catalogue is imported', async () => {
  const { platform } = await testPlatform(onTestFinished)
  const { kept, register } = fakeRegistry()
  const text = readFileSync(new URL('../../../data/catalogue.json', import.meta.url), 'utf8')
  await seedCategories(platform)
  const report = await importCatalogue(platform, { text, creator: CREATOR, register })
  expect(report).toMatchObject({ events: 47, markets: 403, stored: 403, registered: 403 })
  expect(new Set([...kept.values()].flatMap(({ neg_risk_event }) => neg_risk_event?.slug ?? [])).size).toBe(13)
  const open = (await events(platform)).filter(({ status, active, total }) => status === 'active' && active === total)
  expect(open).toHaveLength(47)
  const tabs = await Promise.all(['en', 'es', 'ar'].map((locale) => mainTags(platform, { locale })))
  const names = tabs.map((tags) => tags.flatMap(({ name, childs }) => [name, ...childs.map((child) => child.name)]))
  expect(names[0]).toHaveLength(names[1]!.length)
  for (const [i, name] of names[0]!.entries()) expect(names[2]![i]).not.toBe(name)
})
