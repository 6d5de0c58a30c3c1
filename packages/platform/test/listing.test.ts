import { expect, test } from 'vitest'
import { readDiscovery } from '../src/catalogue/discovery.ts'
import { feeBpsOf } from '../src/catalogue/fees.ts'
import { toListings } from '../src/catalogue/listing.ts'
import { discoveryEvent } from './test-platform.ts'

const NOW = new Date('2026-11-20T12:00:00Z')
const TERMS = { now: NOW, mainCategories: new Set(['tag', 't', 'sports']), reopen: false }
const clean = (...rows: unknown[]) => toListings(readDiscovery(JSON.stringify(rows)).events, TERMS)
const reopened = (...rows: unknown[]) => toListings(readDiscovery(JSON.stringify(rows)).events, { ...TERMS, reopen: true })
const day = (date: Date | undefined) => date?.toISOString().slice(0, 10)

const DATES: [what: string, event: string, market: string | null, eventEnd: string, marketEnd: string][] = [
  ['open ones stay', '2027-06-30', '2027-03-01', '2027-06-30', '2027-03-01'],
  ['a missing end is that of the event', '2027-06-30', null, '2027-06-30', '2027-06-30'],
  ['an ended event moves by whole years with its markets', '2026-05-27', '2026-05-20', '2027-05-27', '2027-05-20'],
  ['years are added until 30 days ahead', '2025-12-15', '2025-12-15', '2027-12-15', '2027-12-15'],
  ['exactly 30 days ahead is enough', '2025-12-20T12:00:00Z', null, '2026-12-20', '2026-12-20'],
  ['a market that ends later takes its event along', '2026-12-31', '2027-03-31', '2027-03-31', '2027-03-31'],
  ['an event that ended before its market has not ended', '2025-12-31', '2027-03-31', '2027-03-31', '2027-03-31'],
  ['29 February becomes 1 March', '2024-02-29', null, '2027-03-01', '2027-03-01'],
]

test.each(DATES)('reopened ends: %s', (_, endDate, end, eventEnd, marketEnd) => {
  const { listings } = reopened(discoveryEvent('e', 'E', [], [{ slug: 'm', end }], { endDate }))
  expect([day(listings[0]?.endDate), day(listings[0]?.markets[0]?.endTime)]).toEqual([eventEnd, marketEnd])
})

const PRICES: [listed: number, tick: number, steps: number, told: boolean][] = [
  [0.53, 0.01, 5300, false],
  [0.535, 0.001, 5350, false],
  [0.535, 0.01, 5400, true],
  [0, 0.001, 10, true],
  [1, 0.01, 9900, true],
  [-0.2, 0.01, 100, true],
  [1.3, 0.1, 9000, true],
]

test.each(PRICES)('a price of %f on a tick of %f becomes %i steps', (price, tick, steps, told) => {
  const row = discoveryEvent('e', 'E', ['tag'], [{ slug: 'm', price }])
  row.markets[0]!.orderPriceMinTickSize = tick
  const { listings, findings } = reopened(row)
  expect(listings[0]?.markets[0]?.listingPrice).toBe(steps)
  expect(findings.map(({ kind }) => kind)).toEqual(told ? ['price_adjusted'] : [])
})

test('events without markets or an end, and a single neg-risk market, are skipped with the reason', () => {
  const { listings, findings } = clean(
    discoveryEvent('a', 'A', ['t'], [{ slug: 'a-1', end: null }], { endDate: null }),
    discoveryEvent('b', 'B', ['t'], [{ slug: 'b-1' }], { negRisk: true }),
    discoveryEvent('c', 'C', ['t'], [{ slug: 'a-1' }]),
  )
  expect(listings).toEqual([])
  expect(findings).toEqual([
    { kind: 'event_skipped', place: '[0]', text: 'neither the event nor a market has an end date' },
    { kind: 'event_skipped', place: '[1]', text: 'an event in which exactly one market wins needs two' },
    { kind: 'event_skipped', place: '[2]', text: 'no market is left' },
  ])
})

test('composed rules say so; listed rules are kept', () => {
  const row = discoveryEvent(
    'e',
    'Who wins',
    ['t'],
    [
      { slug: 'm', end: '2026-05-27' },
      { slug: 'n', end: '2026-05-27' },
    ],
    {
      negRisk: true,
      endDate: '2026-05-27',
    },
  )
  Object.assign(row.markets[1]!, { description: 'As the referee says.' })
  const markets = reopened(row).listings[0]!.markets
  expect(markets[1]!.rules).toBe('As the referee says.')
  expect(markets[0]!.rules).toMatchInlineSnapshot(`
    "This market asks: Will m happen?

    It resolves to Yes if that has happened by 27 May 2027 at 00:00 UTC, and to No otherwise. A winning share pays 1 USDC, a losing one nothing.

    It is one of the markets of “Who wins”, of which exactly one resolves to its first outcome.

    The listing ended on 27 May 2026 at 00:00 UTC. That day has passed, so the market was opened again with a later end, and the years that its texts name were moved with it.

    The listing came without rules of its own: this text was composed from its question, outcomes and dates. What it leaves open is decided by the resolver named below."
  `)
})

test('fees follow the main category', () => {
  expect(['crypto', 'world', 'sports', 'unheard-of', undefined].map(feeBpsOf)).toEqual([700, 0, 300, 400, 400])
})

test('what is over is left out, or comes again with its texts', () => {
  const row = discoveryEvent('e', 'Rain in 2026 and 2025–26', ['t'], [{ slug: 'm', end: '2026-06-30' }], { endDate: '2026-06-30' })
  Object.assign(row.markets[0]!, {
    question: 'Will it rain by June 30, 2026?',
    groupItemTitle: 'June 30, 2026',
    description: 'By 2026-06-30, as https://a.org/2026 has it.',
  })
  expect(clean(row)).toMatchObject({ listings: [], findings: [{ kind: 'over', place: '[0]', text: 'e ended 2026-06-30' }] })
  expect(reopened(row).listings[0]).toMatchObject({
    title: 'Rain in 2027 and 2026–27',
    isMoved: true,
    markets: [
      {
        slug: 'm',
        question: 'Will it rain by June 30, 2027?',
        shortTitle: 'June 30, 2027',
        rules: 'By 2027-06-30, as https://a.org/2026 has it.',
      },
    ],
  })
})

test('a market that is over is left out of an event that goes on, and ends with it where one market wins', () => {
  const row = discoveryEvent('e', 'E', ['t'], [{ slug: 'm', end: '2026-06-30' }, { slug: 'n' }, { slug: 'o' }])
  const { listings, findings } = clean(row)
  expect([listings[0]?.markets.map(({ slug }) => slug), findings]).toEqual([
    ['n', 'o'],
    [{ kind: 'over', place: '[0].markets[0]', text: 'm ended 2026-06-30' }],
  ])
  const exclusive = clean({ ...row, negRisk: true })
  expect(exclusive.listings[0]?.markets.map(({ endTime }) => day(endTime))).toEqual(['2027-06-30', '2027-06-30', '2027-06-30'])
  expect(exclusive.findings).toEqual([
    { kind: 'end_from_event', place: '[0].markets[0].endDate', text: 'over, taken from the event: 2027-06-30' },
  ])
})

const NOT_OPEN: [what: string, fields: Record<string, unknown>, said: string][] = [
  ['closed', { closed: true }, 'm is closed in the file'],
  ['closed, as text', { closed: 'true' }, 'm is closed in the file'],
  ['closed at some time', { closedTime: '2026-01-02 03:04:05+00' }, 'm is closed in the file'],
  ['archived', { archived: true, active: false, closed: true }, 'm is archived in the file'],
  ['inactive', { active: false }, 'm is inactive in the file'],
  ['paused', { acceptingOrders: false }, 'm is not accepting orders in the file'],
  ['without a book', { enableOrderBook: false }, 'm is without an order book in the file'],
  ['decided by its prices', { outcomePrices: '["1", "0"]' }, 'm is decided in the file'],
  ['resolved', { umaResolutionStatus: 'resolved' }, 'm is decided in the file'],
  ['a placeholder', { active: false, groupItemTitle: 'Person B' }, 'm is an inactive placeholder in the file'],
]

test.each(NOT_OPEN)('a market that is %s is left out and reported', (what, fields, text) => {
  const row = discoveryEvent('e', 'E', ['t'], [{ slug: 'm' }, { slug: 'n' }])
  Object.assign(row.markets[0]!, fields)
  const { listings, findings } = clean(row)
  expect(listings[0]?.markets.map(({ slug }) => slug)).toEqual(['n'])
  expect(findings).toEqual([{ kind: 'not_open', place: '[0].markets[0]', text }])
  expect(reopened(row).listings[0]?.markets).toHaveLength(what === 'a placeholder' ? 1 : 2)
})

test.each([{ closed: true }, { archived: true }, { active: false }, { acceptingOrders: false }])(
  'an event with %j is left out',
  (state) => {
    const row = { ...discoveryEvent('e', 'E', ['t'], [{ slug: 'm' }]), ...state }
    expect([clean(row).listings, clean(row).findings.map(({ kind }) => kind), reopened(row).listings.length]).toEqual([[], ['not_open'], 1])
  },
)

const EXCLUSIVE: [what: string, fields: Record<string, unknown>, event: Record<string, unknown>, open: string[]][] = [
  ['lost', { closed: true, outcomePrices: '["0", "1"]' }, {}, ['n', 'o']],
  ['won', { closed: true, outcomePrices: '["1", "0"]' }, {}, []],
  ['closed and undecided', { closed: true }, {}, []],
  ['paused', { acceptingOrders: false }, {}, []],
  ['inactive', { active: false }, {}, []],
  ['an inactive placeholder', { active: false, groupItemTitle: 'Candidate C' }, {}, ['n', 'o']],
  ['inactive where candidates are named later', { active: false }, { negRiskAugmented: true }, ['n', 'o']],
]

test.each(EXCLUSIVE)('an event of which one market wins, one of them %s', (_, fields, event, open) => {
  const row = discoveryEvent('e', 'E', ['t'], [{ slug: 'm' }, { slug: 'n' }, { slug: 'o' }], { negRisk: true, ...event })
  Object.assign(row.markets[0]!, fields)
  const { listings, findings } = clean(row)
  expect(listings.flatMap(({ markets }) => markets.map(({ slug }) => slug))).toEqual(open)
  expect(findings.map(({ kind }) => kind)).toEqual(open.length > 0 ? ['not_open'] : ['not_open', 'event_skipped'])
})

test('main categories of the site stand before other tags', () => {
  const { listings, findings } = clean(discoveryEvent('e', 'E', ['final', 'soccer', 'sports'], [{ slug: 'm' }]))
  expect([listings[0]?.tags.map(({ slug }) => slug), listings[0]?.markets[0]?.feeBps, findings]).toEqual([
    ['sports', 'final', 'soccer'],
    300,
    [],
  ])
  expect(clean(discoveryEvent('e', 'E', ['final'], [{ slug: 'm' }])).findings).toEqual([
    { kind: 'no_category', place: '[0]', text: 'none of its tags is a main category of the site' },
  ])
})

test('a market has the rules, the source and the picture of its event where it has none', () => {
  const more = { description: 'As it says.', resolutionSource: 'https://www.nba.com/x', image: 'https://a.org/e.png' }
  const row = discoveryEvent('e', 'E', ['t'], [{ slug: 'm' }, { slug: 'n' }], more)
  Object.assign(row.markets[1]!, {
    description: 'Own.',
    resolutionSource: 'https://b.org',
    resolutionSourceName: 'The referee',
    image: 'https://a.org/n.png',
  })
  expect(clean(row).listings[0]).toMatchObject({
    iconUrl: 'https://a.org/e.png',
    markets: [
      { rules: 'As it says.', resolutionSource: 'nba.com', resolutionSourceUrl: 'https://www.nba.com/x', iconUrl: '' },
      { rules: 'Own.', resolutionSource: 'The referee', resolutionSourceUrl: 'https://b.org', iconUrl: 'https://a.org/n.png' },
    ],
  })
})
