import { expect, test } from 'vitest'
import { addressesOf } from '../src/lib/language/locale.ts'
import { sitemapPart } from '../src/lib/server/sitemap.ts'

test('a page has an address in each language that the site offers, and in no other', () => {
  expect(addressesOf('https://m.example', '/', ['en', 'es'])).toEqual([
    { locale: 'en', href: 'https://m.example/en' },
    { locale: 'es', href: 'https://m.example/es' },
  ])
})

test('search engines are told of no language that is not offered', () => {
  const part = sitemapPart('https://m.example', [{ path: '/event/a&b', changed: null }], ['en', 'es'])
  expect(part).toContain('<loc>https://m.example/event/a&#38;b</loc>')
  expect([...part.matchAll(/hreflang="(\w+)" href="([^"]*)"/g)].map(([, locale, href]) => [locale, href])).toEqual([
    ['en', 'https://m.example/en/event/a&#38;b'],
    ['es', 'https://m.example/es/event/a&#38;b'],
  ])
})
