import { expect, test } from 'vitest'
import { readDiscovery } from '../src/catalogue/discovery.ts'
import { discoveryEvent } from './test-platform.ts'

const read = (rows: unknown) => readDiscovery(JSON.stringify(rows))
/** One event whose second market has some fields replaced. */
const withMarket = (fields: Record<string, unknown>) => {
  const event = discoveryEvent('rain', 'Rain', ['weather'], [{ slug: 'rain-today' }, { slug: 'rain-tomorrow' }])
  Object.assign(event.markets[1]!, fields)
  return [event]
}

const MALFORMED_MARKETS: [what: string, fields: Record<string, unknown>, place: string, text: string][] = [
  ['a question that is missing', { question: undefined }, '.question', 'Invalid input: expected string, received undefined'],
  ['a slug with spaces', { slug: 'Rain Tomorrow' }, '.slug', 'expected lower-case words joined by hyphens'],
  ['outcomes that are not JSON', { outcomes: '[Yes, No]' }, '.outcomes', 'not JSON inside the string'],
  ['three outcomes', { outcomes: '["A", "B", "C"]' }, '.outcomes', 'expected two labels'],
  ['an empty label', { outcomes: '["Yes", " "]' }, '.outcomes[1]', 'Too small: expected string to have >=1 characters'],
  ['two labels that read alike', { outcomes: '["Yes", "YES"]' }, '.outcomes', 'the two outcomes need different names'],
  ['two labels that look alike', { outcomes: '["Yes", "Ye\u200bs"]' }, '.outcomes', 'the two outcomes need different names'],
]

test.each(MALFORMED_MARKETS)('%s skips one market and is reported with its path', (_, fields, place, text) => {
  const { events, findings } = read(withMarket(fields))
  expect(findings).toEqual([{ kind: 'malformed', place: `[0].markets[1]${place}`, text: text }])
  expect(events[0]?.markets.map(({ slug }) => slug)).toEqual(['rain-today'])
})

const DROPPED: [what: string, fields: Record<string, unknown>, place: string, text: string][] = [
  ['one price', { outcomePrices: '["0.5"]' }, '.outcomePrices', 'expected two numbers'],
  ['a price in words', { outcomePrices: '["half", "0.5"]' }, '.outcomePrices[0]', 'expected a number'],
  ['a title that is a number', { groupItemTitle: 7 }, '.groupItemTitle', 'Invalid input: expected string, received number'],
  [
    'a tick that no market has',
    { orderPriceMinTickSize: 0.003 },
    '.orderPriceMinTickSize',
    'not one of the ticks 0.1, 0.01, 0.005, 0.0025, 0.001, 0.0001',
  ],
  ['a size below a lot', { orderMinSize: 0.001 }, '.orderMinSize', 'not a size in hundredths of a share'],
  ['a size of nothing', { orderMinSize: 0 }, '.orderMinSize', 'not a size an order can have'],
  ['a day that does not exist', { endDate: '2027-02-30' }, '.endDate', 'expected an ISO 8601 date'],
  ['a time in words', { endDate: 'next summer' }, '.endDate', 'expected an ISO 8601 date'],
  ['a year of five digits', { endDate: '9999-01-01' }, '.endDate', 'expected a year of four digits'],
  ['negative volume', { volumeNum: -1 }, '.volumeNum', 'Too small: expected number to be >=0'],
  ['volume without end', { volumeNum: '1e999' }, '.volumeNum', 'expected a number'],
  ['a source that is no address', { resolutionSource: 'nba.com' }, '.resolutionSource', 'expected a web address'],
  ['a source that is a script', { resolutionSource: 'javascript:alert(1)' }, '.resolutionSource', 'expected a web address'],
  ['a state that is neither true nor false', { closed: 'perhaps' }, '.closed', 'expected true or false'],
]

test.each(DROPPED)('%s is dropped and reported, and its market stays', (_, fields, place, text) => {
  const { events, findings } = read(withMarket(fields))
  expect(findings).toEqual([{ kind: 'field_dropped', place: `[0].markets[1]${place}`, text }])
  expect(events[0]?.markets.map(({ slug }) => slug)).toEqual(['rain-today', 'rain-tomorrow'])
  expect(events[0]!.markets[1]).toMatchObject({ orderPriceMinTickSize: 100, orderMinSize: 500 })
})

test.each([
  ['volume', 'much'],
  ['endDate', 20270630],
  ['icon', 'rain.png'],
  ['tags', 'weather'],
  ['description', ['rules']],
])('an odd %s of an event is dropped and reported, and the event stays', (field, value) => {
  const { events, findings } = read([{ ...withMarket({})[0], [field]: value }])
  expect([events.length, findings.map(({ kind, place }) => [kind, place])]).toEqual([1, [['field_dropped', `[0].${field}`]]])
})

test('what is null or empty was never there', () => {
  const nothing = Object.fromEntries(
    ['groupItemTitle', 'volumeNum', 'endDate', 'icon', 'resolutionSource', 'closedTime'].map((key) => [key, '']),
  )
  expect(read(withMarket({ ...nothing, orderMinSize: null, outcomePrices: null })).findings).toEqual([])
})

test('a malformed event or tag only skips itself', () => {
  const { events, findings } = read([
    discoveryEvent('a', 'A', [], [{ slug: 'a-1' }], { title: '' }),
    'not an event',
    discoveryEvent('b', 'B', [], [{ slug: 'b-1' }], {
      tags: [
        { slug: 'Bad Slug', label: 'Bad' },
        { slug: 'good', label: 'Good' },
      ],
    }),
    discoveryEvent('c', 'C', [], []),
  ])
  expect(events.map(({ slug, tags }) => [slug, tags])).toEqual([['b', [{ slug: 'good', label: 'Good' }]]])
  expect(findings.map(({ place }) => place)).toEqual(['[0].title', '[1]', '[2].tags[0].slug', '[3].markets'])
})

test('a slug is used once in the whole file', () => {
  const { events, findings } = read([
    discoveryEvent('a', 'A', [], [{ slug: 'x' }]),
    discoveryEvent('a', 'A again', [], [{ slug: 'y' }]),
    discoveryEvent('b', 'B', [], [{ slug: 'x' }, { slug: 'z' }]),
  ])
  expect(events.map(({ slug, markets }) => [slug, markets.map(({ slug }) => slug)])).toEqual([
    ['a', ['x']],
    ['b', ['z']],
  ])
  expect(findings).toEqual([
    { kind: 'duplicate', place: '[1]', text: 'the slug a came before' },
    { kind: 'duplicate', place: '[2].markets[0]', text: 'the slug x came before' },
  ])
})

test.each(['0.25', ' .25 ', '2.5e-1', 25e-2, '+0.250'])('%j is a number', (price) => {
  const { events, findings } = read(withMarket({ outcomePrices: [price, '0.75'], volumeNum: '1.2E3', orderMinSize: '5.0' }))
  expect(findings).toEqual([])
  expect(events[0]?.markets[1]).toMatchObject({ outcomePrices: [0.25, 0.75], volumeNum: 1200, orderMinSize: 500 })
})

test.each([
  ['2027-06-30T12:00:00Z', '2027-06-30T12:00:00.000Z'],
  ['2027-06-30 12:00:00+00', '2027-06-30T12:00:00.000Z'],
  ['2027-06-30T12:00:00+02:00', '2027-06-30T10:00:00.000Z'],
  ['2027-06-30T12:00:00', '2027-06-30T12:00:00.000Z'],
  [' 2027-06-30 ', '2027-06-30T00:00:00.000Z'],
])('%j is a time', (text, time) => {
  expect(read(withMarket({ endDate: text })).events[0]?.markets[1]?.endDate?.toISOString()).toBe(time)
})

test('lists may be arrays or texts, and unknown fields are ignored', () => {
  const { events, findings } = read(withMarket({ outcomes: ['Up', 'Down'], outcomePrices: [0.25, 0.75], clobTokenIds: '[]' }))
  expect(findings).toEqual([])
  expect(events[0]?.markets[1]).toMatchObject({ outcomes: ['Up', 'Down'], outcomePrices: [0.25, 0.75] })
  const [event] = withMarket({})
  expect(read([{ ...event, markets: JSON.stringify(event!.markets), tags: JSON.stringify(event!.tags) }]).events[0]?.markets).toHaveLength(
    2,
  )
})

test.each([
  ['has no outcomes', { outcomes: undefined }],
  ['repeats a slug', { slug: 'rain-today' }],
])('an event of which exactly one market wins is left out when one %s', (_, fields) => {
  const { events, findings } = read(withMarket(fields).map((event) => ({ ...event, negRisk: 'true' })))
  expect([events, findings.at(-1)]).toEqual([
    [],
    { kind: 'event_skipped', place: '[0]', text: 'exactly one of its markets wins, and 1 of 2 cannot be read: none is taken' },
  ])
})

test('whether one market wins must be readable', () => {
  expect(read(withMarket({}).map((event) => ({ ...event, negRisk: 'maybe' })))).toMatchObject({
    events: [],
    findings: [{ kind: 'malformed', place: '[0].negRisk' }],
  })
})

test('a tag that its source hides is left off, unless the source insists', () => {
  const tags = [
    { slug: 'internal', label: 'Internal', forceHide: true },
    { slug: 'weather', label: 'Weather', forceHide: false },
    { slug: 'sky', label: 'Sky', forceHide: true, forceShow: true },
  ]
  const { events, findings } = read(withMarket({}).map((event) => ({ ...event, tags })))
  expect([events[0]?.tags.map(({ slug }) => slug), findings.map(({ kind }) => kind)]).toEqual([['weather', 'sky'], ['category_hidden']])
})
