import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { DiscoveryError, readDiscovery } from '../src/catalogue/discovery.ts'
import { discoveryEvent } from './test-platform.ts'

const catalogue = new URL('../../../data/catalogue.json', import.meta.url)

const read = (rows: unknown) => readDiscovery(JSON.stringify(rows))
/** One event whose second market has some fields replaced. */
const withMarket = (fields: Record<string, unknown>) => {
  const event = discoveryEvent('rain', 'Rain', ['weather'], [{ slug: 'rain-today' }, { slug: 'rain-tomorrow' }])
  Object.assign(event.markets[1]!, fields)
  return [event]
}

test('the whole catalogue is valid', () => {
  const { events, findings } = readDiscovery(readFileSync(catalogue, 'utf8'))
  expect([events.length, events.flatMap(({ markets }) => markets).length, findings]).toEqual([47, 448, []])
})

const MALFORMED_MARKETS: [what: string, fields: Record<string, unknown>, place: string, text: string][] = [
  ['a question that is missing', { question: undefined }, '.question', 'Invalid input: expected string, received undefined'],
  ['a slug with spaces', { slug: 'Rain Tomorrow' }, '.slug', 'expected lower-case words joined by hyphens'],
  ['outcomes that are not JSON', { outcomes: '[Yes, No]' }, '.outcomes', 'not JSON inside the string'],
  ['three outcomes', { outcomes: '["A", "B", "C"]' }, '.outcomes', 'expected two labels'],
  ['an empty label', { outcomes: '["Yes", " "]' }, '.outcomes[1]', 'Too small: expected string to have >=1 characters'],
  ['two labels that read alike', { outcomes: '["Yes", "YES"]' }, '.outcomes', 'the two outcomes need different names'],
  ['two labels that look alike', { outcomes: '["Yes", "Ye\u200bs"]' }, '.outcomes', 'the two outcomes need different names'],
  ['one price', { outcomePrices: '["0.5"]' }, '.outcomePrices', 'expected two numbers'],
  ['a price in words', { outcomePrices: '["half", "0.5"]' }, '.outcomePrices[0]', 'expected a number'],
  [
    'a tick that no market has',
    { orderPriceMinTickSize: 0.003 },
    '.orderPriceMinTickSize',
    'not one of the ticks 0.1, 0.01, 0.005, 0.0025, 0.001, 0.0001',
  ],
  ['a size below a lot', { orderMinSize: 0.001 }, '.orderMinSize', 'not a size in hundredths of a share'],
  ['a size of nothing', { orderMinSize: 0 }, '.orderMinSize', 'not a size an order can have'],
  ['a day that does not exist', { endDate: '2027-02-30' }, '.endDate', 'expected an ISO 8601 date'],
  ['negative volume', { volumeNum: -1 }, '.volumeNum', 'Too small: expected number to be >=0'],
  ['a source that is a script', { resolutionSource: 'javascript:alert(1)' }, '.resolutionSource', 'expected a web address'],
]

test.each(MALFORMED_MARKETS)('%s skips one market and is reported with its path', (_, fields, place, text) => {
  const { events, findings } = read(withMarket(fields))
  expect(findings).toEqual([{ kind: 'malformed', place: `[0].markets[1]${place}`, text: text }])
  expect(events[0]?.markets.map(({ slug }) => slug)).toEqual(['rain-today'])
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

test('lists may be arrays, numbers may be texts, and unknown fields are ignored', () => {
  const { events, findings } = read(
    withMarket({ outcomes: ['Up', 'Down'], outcomePrices: [0.25, 0.75], volumeNum: '12.5', clobTokenIds: '[]' }),
  )
  expect(findings).toEqual([])
  expect(events[0]?.markets[1]).toMatchObject({ outcomes: ['Up', 'Down'], outcomePrices: [0.25, 0.75], volumeNum: 12.5 })
})

test.each([
  ['{"events": []}', 'not a discovery file: expected a JSON array of events'],
  ['[{"slug":', 'not a JSON file: '],
])('%s is refused as a whole', (text, reason) => {
  expect(() => readDiscovery(text)).toThrow(DiscoveryError)
  expect(() => readDiscovery(text)).toThrow(reason)
})
