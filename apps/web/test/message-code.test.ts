import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { shortMessage } from '../message-code.ts'
import { inLocale } from '../src/lib/language/in-locale.ts'
import { m } from '../src/lib/paraglide/messages.js'
import * as registry from '../src/lib/paraglide/registry.js'
import { locales } from '../src/lib/paraglide/runtime.js'

const FOLDER = join(import.meta.dirname, '../src/lib/paraglide/messages')
const names = readdirSync(FOLDER).flatMap((file) => (file.endsWith('.js') && file !== '_index.js' ? [file.slice(0, -3)] : []))
const shortened = (name: string) => shortMessage(readFileSync(join(FOLDER, `${name}.js`), 'utf8'))
/** The message as a browser gets it. */
function run(name: string) {
  const body = shortened(name)
    .replaceAll(/^import .*$/gm, '')
    .replace(/export const \w+ =/, 'return')
  return new Function('inLocale', 'registry', body)(inLocale, registry) as ReturnType<typeof inLocale>
}

/** Every number of shares, price and name that a message may ask for: the same for both. */
const inputs = new Proxy({}, { get: (_, name) => (name === 'count' ? 3 : `<${String(name)}>`), has: () => true })

test('every message says in a browser what Paraglide wrote, in every language', () => {
  expect(names.length).toBeGreaterThan(1000)
  const written = m as unknown as Record<string, ReturnType<typeof inLocale>>
  const wrong = names.filter((name) => {
    const message = run(name)
    return locales.some((locale) => message(inputs, { locale }) !== written[name]!(inputs, { locale }))
  })
  expect(wrong).toEqual([])
})

test('a message in another form is not guessed at', () => {
  expect(() => shortMessage('export const hello = () => "Hello"')).toThrow('Paraglide writes messages in another way')
})
