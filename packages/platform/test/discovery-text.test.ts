import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { readDiscovery } from '../src/catalogue/discovery.ts'
import { DiscoveryError, discoveryText } from '../src/catalogue/discovery-text.ts'
import { discoveryEvent } from './test-platform.ts'

const one = (name: string) => discoveryEvent(name, `Event ${name}`, ['weather'], [{ slug: `${name}-m` }])
const flat = (name: string, event: unknown, more = {}) => ({ ...one(name).markets[0], ...more, events: event })
const lines = (...rows: unknown[]) => rows.map((row) => JSON.stringify(row)).join('\n')

const FILES: [what: string, content: unknown, slugs: string[]][] = [
  ['a list of events', [one('a'), one('b')], ['a', 'b']],
  ['a page of events', { events: [one('a')], next_cursor: '' }, ['a']],
  ['a page with its position', { events: [one('a')], pagination: { hasMore: false, totalResults: 1 } }, ['a']],
  ['a page under data', { data: [one('a')] }, ['a']],
  ['a page under data and events', { data: { events: [one('a')] } }, ['a']],
  ['several pages in a list', [{ events: [one('a')] }, { events: [one('b')] }], ['a', 'b']],
  ['an empty page', { events: [] }, []],
  ['one event', one('a'), ['a']],
  ['one market', one('a').markets[0], ['a-m']],
  ['a page of markets', { markets: [flat('a', [{ slug: 'e', title: 'E' }]), flat('b', [{ slug: 'e', title: 'E' }])] }, ['e']],
  ['markets without an event', one('a').markets, ['a-m']],
  ['one event a line', lines(one('a'), one('b')), ['a', 'b']],
  ['one event a line, of another system', `${lines(one('a'), one('b')).replace('\n', '\r\n')}\r\n\r\n`, ['a', 'b']],
  ['one market a line', lines(flat('a', [{ slug: 'e', title: 'E' }]), flat('b', [{ slug: 'f', title: 'F' }])), ['e', 'f']],
  ['a byte order mark', `\uFEFF${JSON.stringify([one('a')])}`, ['a']],
]

test.each(FILES)('%s', (_, content, slugs) => {
  const { events, findings } = readDiscovery(typeof content === 'string' ? content : JSON.stringify(content))
  expect([events.map(({ slug }) => slug), findings]).toEqual([slugs, []])
})

test('markets of one event are gathered wherever they stand, with their own places', () => {
  const event = [{ slug: 'e', title: 'E', endDate: '2027-06-30T00:00:00Z', negRisk: true }]
  const { events, findings } = readDiscovery(
    JSON.stringify([flat('a', event), flat('x', [{ slug: 'f', title: 'F' }]), flat('b', event, { volumeNum: 'x' })]),
  )
  expect(events.map(({ slug, negRisk, markets }) => [slug, negRisk, markets.map((each) => each.place)])).toEqual([
    ['e', true, ['[0]', '[2]']],
    ['f', false, ['[1]']],
  ])
  expect(findings).toMatchObject([{ kind: 'field_dropped', place: '[2].volumeNum' }])
})

test('a page that goes on is reported, and so is a line that is not JSON', () => {
  expect(readDiscovery(JSON.stringify({ events: [one('a')], next_cursor: 'MTA=' })).findings).toMatchObject([{ kind: 'more_pages' }])
  const { events, findings } = readDiscovery(`${JSON.stringify(one('a'))}\n{"slug": \n${JSON.stringify(one('b'))}`)
  expect([events.length, findings]).toEqual([2, [{ kind: 'malformed', place: 'line 2', text: 'not JSON' }]])
})

test.each([
  ['{"rows": []}', 'not a discovery file: expected events'],
  ['[{"slug":', 'not a JSON file: '],
  ['{\n "events": [\n', 'not a JSON file: '],
  ['7', 'not a discovery file'],
  ['', 'not a JSON file'],
])('%j is refused as a whole', (text, reason) => {
  expect(() => readDiscovery(text)).toThrow(DiscoveryError)
  expect(() => readDiscovery(text)).toThrow(reason)
})

test.each([
  ['UTF-8', Buffer.from('é')],
  ['UTF-8 with its mark', Buffer.from('\uFEFFé')],
  ['UTF-16, low byte first', Buffer.from('\uFEFFé', 'utf16le')],
  ['UTF-16, high byte first', Buffer.from('\uFEFFé', 'utf16le').swap16()],
  ['gzip', gzipSync('é')],
])('bytes in %s are read', (_, bytes) => expect(discoveryText(bytes)).toBe('é'))

test('bytes that are no text are refused', () => {
  expect(() => discoveryText(Buffer.from([0xe9, 0x20]))).toThrow(DiscoveryError)
  expect(() => discoveryText(Buffer.from([0x1f, 0x8b, 1, 2]))).toThrow(DiscoveryError)
})
