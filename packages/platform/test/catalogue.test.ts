import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readDiscovery } from '../src/catalogue/discovery.ts'
import { toListings } from '../src/catalogue/listing.ts'
import { isPlaceholder } from '../src/catalogue/source-state.ts'

const NOW = new Date('2026-11-28T00:00:00Z')
const MAINS = new Set(['politics', 'world', 'sports', 'crypto', 'culture', 'tech'])
const text = readFileSync(new URL('../../../data/catalogue.json', import.meta.url), 'utf8')
const read = readDiscovery(text)
const listed = (now: Date, reopen = false) => toListings(read.events, { now, mainCategories: MAINS, reopen })
const markets = read.events.flatMap((event) => event.markets.map((market) => ({ ...market, event })))

const MONTHS = 'January February March April May June July August September October November December'.split(' ')
/** The last day on which a question can come true, where it names one. */
function lastDay(question: string): string | null {
  const by = /\bby (\w+) (\d{1,2}), (\d{4})/.exec(question)
  if (by) return iso(Number(by[3]), MONTHS.indexOf(by[1]!), Number(by[2]))
  const before = /\bbefore (?:(\w+) )?(\d{4})/.exec(question)
  return before && iso(Number(before[2]), before[1] ? MONTHS.indexOf(before[1]) : 0, 0)
}
const iso = (year: number, month: number, day: number) => new Date(Date.UTC(year, month, day)).toISOString().slice(0, 10)

test('the shipped catalogue is well-formed, and opens whole', () => {
  expect([read.events.length, markets.length, read.findings]).toEqual([47, 403, []])
  const { listings, findings } = listed(NOW)
  expect([listings.length, listings.flatMap((event) => event.markets).length]).toEqual([47, 403])
  expect(findings.filter(({ kind }) => kind !== 'price_adjusted')).toEqual([])
  expect(listings.filter(({ negRisk }) => negRisk)).toHaveLength(13)
})

test.each([2026, 2027, 2029, 2034])('in %i every event of it lies ahead or comes again, and questions agree with dates', (year) => {
  const { listings } = listed(new Date(Date.UTC(year, 11, 1)), true)
  expect(listings).toHaveLength(47)
  for (const { question, endTime } of listings.flatMap((event) => event.markets)) {
    expect(lastDay(question) ?? endTime.toISOString().slice(0, 10), question).toBe(endTime.toISOString().slice(0, 10))
    const years = [...question.matchAll(/\b(20\d\d)(?:–(\d\d)\b)?/g)].map(([, from, to]) => (to ? Number(`20${to}`) : Number(from)))
    if (lastDay(question) === null && years.length > 0)
      expect([years.includes(endTime.getUTCFullYear()), question, endTime]).toEqual([true, question, endTime])
  }
})

test('dates that a question names have their year', () => {
  for (const { question, groupItemTitle = '' } of markets)
    for (const words of [question, groupItemTitle])
      expect(words).not.toMatch(new RegExp(`\\b(${MONTHS.join('|')}) \\d{1,2}\\b(?!, \\d{4})`))
})

test('no outcome is decided', () => {
  for (const { slug, outcomePrices } of markets) {
    const [yes, no] = outcomePrices!
    expect([slug, yes > 0 && yes < 1, Math.abs(yes + no - 1) < 1e-9]).toEqual([slug, true, true])
  }
})

test('every market has written rules that say when it resolves, and a named source', () => {
  for (const { slug, description = '', resolutionSource = '', resolutionSourceName = '', event } of markets) {
    expect(description, slug).toMatch(/^This market resolves to Yes if[ ,].+, and to No otherwise\./)
    expect(description, slug).toContain(`The source is ${resolutionSourceName}.`)
    expect([resolutionSourceName.length > 3, URL.parse(resolutionSource)?.protocol], slug).toEqual([true, 'https:'])
    expect(event.description, event.slug).toContain('The source is')
  }
})

test('no title is a placeholder, and no two markets of an event read alike', () => {
  for (const { title, markets: own } of read.events) {
    expect(title).not.toMatch(/_{2}|\.{2}|…/)
    const names = own.map((market) => market.groupItemTitle || market.question)
    expect(new Set(names.map((name) => name.toLowerCase())).size, title).toBe(own.length)
    for (const name of names) expect([name, isPlaceholder(name)]).toEqual([name, false])
  }
})

test('an event of which one market wins has a market for any other winner', () => {
  for (const { title, markets: own } of read.events.filter(({ negRisk }) => negRisk))
    expect([title, own.filter(({ groupItemTitle }) => /^Any(body| other)/.test(groupItemTitle ?? '')).length]).toEqual([title, 1])
})
