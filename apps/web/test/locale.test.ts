import { expect, test } from 'vitest'
import { directionOf, localePath, preferredLocale, splitLocale } from '../src/lib/language/locale.ts'
import { getLocale } from '../src/lib/paraglide/runtime.js'
import { localeOf, withLocale } from '../src/lib/server/page-locale.ts'

test.each([
  ['/', null, '/'],
  ['/es', 'es', '/'],
  ['/ar/event/x', 'ar', '/event/x'],
  ['/essay', null, '/essay'],
  ['/event/es', null, '/event/es'],
])('%s is language %s of page %s', (pathname, locale, path) => {
  expect(splitLocale(pathname)).toEqual({ locale, path })
})

test('a page has an address in every language', () => {
  expect([localePath('es', '/'), localePath('ar', '/event/x')]).toEqual(['/es', '/ar/event/x'])
  expect(splitLocale(localePath('en', '/docs'))).toEqual({ locale: 'en', path: '/docs' })
})

test.each([
  [null, 'en'],
  ['', 'en'],
  ['de-DE,de;q=0.9', 'en'],
  ['de, es-MX;q=0.8, en;q=0.5', 'es'],
  ['en;q=0.2, ar;q=0.7', 'ar'],
  ['ar;q=0, es;q=0.1', 'es'],
  ['es;q=high', 'es'],
])('who accepts %j reads %s', (header, locale) => {
  expect(preferredLocale(header)).toBe(locale)
})

test('the address goes before the choice, and the choice before the browser', () => {
  const at = (path: string) => new URL(path, 'https://site.test')
  expect(localeOf(at('/ar/docs'), 'es', 'en')).toBe('ar')
  expect(localeOf(at('/docs'), 'es', 'ar')).toBe('es')
  expect(localeOf(at('/docs'), 'tlh', 'ar')).toBe('ar')
})

test.each(['/event/x.md', '/og/x.png', '/llms.txt', '/manifest.webmanifest', '/changelog/rss.xml', '/embed/x'])(
  'what caches keep of %s is in no reader’s language',
  (path) => {
    expect(localeOf(new URL(path, 'https://site.test'), 'es', 'ar')).toBeNull()
    expect(localeOf(new URL(`/es${path}`, 'https://site.test'), 'ar', 'ar')).toBe('es')
  },
)

test('pages that are written at the same time keep their languages apart', async () => {
  const write = async () => {
    await new Promise((resolve) => setImmediate(resolve))
    return getLocale()
  }
  expect(await Promise.all([withLocale('ar', write), withLocale('es', write), write()])).toEqual(['ar', 'es', 'en'])
  expect([directionOf('ar'), directionOf('es')]).toEqual(['rtl', 'ltr'])
})
