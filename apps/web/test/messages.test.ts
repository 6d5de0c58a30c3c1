import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { baseLocale, locales } from '../src/lib/paraglide/runtime.js'

const folder = join(import.meta.dirname, '../messages')
const areas = readdirSync(folder)

/** A text, or a text by cases. */
type Message = string | { match: Record<string, string> }[]
const read = (area: string, locale: string): Record<string, Message> =>
  JSON.parse(readFileSync(join(folder, area, `${locale}.json`), 'utf8'))
const keysOf = (area: string, locale: string) => Object.keys(read(area, locale))

const texts = (message: Message) => (typeof message === 'string' ? [message] : message.flatMap(({ match }) => Object.values(match)))
/** Returns every parameter that a message's texts and cases use. */
const parameters = (message: Message) => {
  const used = texts(message).flatMap((text) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!))
  const declared = typeof message === 'string' ? [] : [...JSON.stringify(message).matchAll(/"input (\w+)"/g)].map(([, name]) => name!)
  return [...new Set([...used, ...declared])].sort()
}
test.each(areas)('%s: every language has every message', (area) => {
  for (const locale of locales) expect(keysOf(area, locale), locale).toEqual(keysOf(area, baseLocale))
})

test.each(areas)('%s: a message has the same parameters in every language, and no empty text', (area) => {
  const base = read(area, baseLocale)
  for (const locale of locales) {
    for (const [key, message] of Object.entries(read(area, locale))) {
      expect(parameters(message), `${locale} ${key}`).toEqual(parameters(base[key]!))
      for (const text of texts(message)) expect(text.trim(), `${locale} ${key}`).not.toBe('')
    }
  }
})

test.each(locales)('%s: a message by cases has a text for every other case', (locale) => {
  for (const area of areas) {
    for (const [key, message] of Object.entries(read(area, locale))) {
      if (typeof message === 'string') continue
      for (const { match } of message) expect(Object.keys(match).at(-1), `${locale} ${key}`).toMatch(/^(\w+=\*,? ?)+$/)
    }
  }
})

test('no two areas have a message of one name', () => {
  const all = areas.flatMap((area) => keysOf(area, baseLocale))
  expect(all.filter((key, i) => all.indexOf(key) !== i)).toEqual([])
})
