import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readDiscovery } from '../src/catalogue/discovery.ts'
import { feeBpsOf } from '../src/catalogue/fees.ts'
import { countFindings } from '../src/catalogue/finding.ts'
import { toListings } from '../src/catalogue/listing.ts'
import { discoveryEvent } from './test-platform.ts'

const NOW = new Date('2026-11-20T12:00:00Z')
const clean = (...rows: unknown[]) => toListings(readDiscovery(JSON.stringify(rows)).events, NOW)
const day = (date: Date | undefined) => date?.toISOString().slice(0, 10)

const DATES: [what: string, event: string, market: string | null, eventEnd: string, marketEnd: string][] = [
  ['open ones stay', '2027-06-30', '2027-03-01', '2027-06-30', '2027-03-01'],
  ['a missing end is that of the event', '2027-06-30', null, '2027-06-30', '2027-06-30'],
  ['an ended event moves by whole years with its markets', '2026-05-27', '2026-05-20', '2027-05-27', '2027-05-20'],
  ['years are added until 30 days ahead', '2025-12-15', '2025-12-15', '2027-12-15', '2027-12-15'],
  ['exactly 30 days ahead is enough', '2025-12-20T12:00:00Z', null, '2026-12-20', '2026-12-20'],
  ['an ended market of an open event moves alone', '2027-06-30', '2025-12-31', '2027-06-30', '2026-12-31'],
  ['a market that ends later takes its event along', '2026-12-31', '2026-03-31', '2027-03-31', '2027-03-31'],
  ['29 February becomes 1 March', '2024-02-29', null, '2027-03-01', '2027-03-01'],
]

test.each(DATES)('ends: %s', (_, endDate, end, eventEnd, marketEnd) => {
  const { listings } = clean(discoveryEvent('e', 'E', [], [{ slug: 'm', end }], { endDate }))
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
  const { listings, findings } = clean(row)
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
  const row = discoveryEvent('e', 'Who wins', ['t'], [{ slug: 'm', end: '2026-05-27' }, { slug: 'n' }], {
    negRisk: true,
    endDate: '2026-05-27',
  })
  Object.assign(row.markets[1]!, { description: 'As the referee says.' })
  const markets = clean(row).listings[0]!.markets
  expect(markets[1]!.rules).toBe('As the referee says.')
  expect(markets[0]!.rules).toMatchInlineSnapshot(`
    "This market asks: Will m happen?

    It resolves to Yes if that has happened by 27 May 2027 at 00:00 UTC, and to No otherwise. A winning share pays 1 USDC, a losing one nothing.

    It is one of the markets of “Who wins”, of which exactly one resolves to its first outcome.

    The listing ended on 27 May 2026 at 00:00 UTC. That day has passed, so the market was opened again with a later end; dates in the question are those of the listing.

    The listing came without rules of its own: this text was composed from its question, outcomes and dates. What it leaves open is decided by the resolver named below."
  `)
})

test('fees follow the main category', () => {
  expect(['crypto', 'world', 'sports', 'unheard-of', undefined].map(feeBpsOf)).toEqual([700, 0, 300, 400, 400])
})

test('the whole catalogue can be listed, and every change is reported', () => {
  const catalogue = readFileSync(new URL('../../../data/catalogue.json', import.meta.url), 'utf8')
  const { listings, findings } = toListings(readDiscovery(catalogue).events, NOW)
  const markets = listings.flatMap(({ markets }) => markets)
  expect([listings.length, markets.length, listings.filter(({ negRisk }) => negRisk).length]).toEqual([47, 448, 13])
  expect(markets.every(({ endTime }) => endTime > NOW)).toBe(true)
  expect(countFindings(findings)).toMatchInlineSnapshot(`
    [
      [
        "date_moved",
        351,
      ],
      [
        "price_adjusted",
        193,
      ],
      [
        "end_from_event",
        7,
      ],
    ]
  `)
})
