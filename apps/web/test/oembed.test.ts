import { expect, test } from 'vitest'
import { oembedOf, pageOf } from '../src/lib/server/oembed.ts'

const isOwn = (host: string) => host === 'site.test'
const page = { slug: 'rain', market: null, side: 0, locale: null, by: null } as const

test.each([
  ['https://site.test/event/rain', page],
  ['http://site.test/event/rain/?range=all#chart', page],
  ['https://site.test/event/cup/will-reds-win', { ...page, slug: 'cup', market: 'will-reds-win' }],
  ['https://site.test/es/event/rain?r=ABC123', { ...page, locale: 'es', by: 'abc123' }],
  ['https://site.test/event/rain?lang=ar&r=x', { ...page, locale: 'ar' }],
  ['https://site.test/event/rain?outcome=no', { ...page, side: 1 }],
  ['https://elsewhere.test/event/rain', null],
  ['https://site.test@elsewhere.test/event/rain', null],
  ['javascript:alert(1)//site.test/event/rain', null],
  ['https://site.test/u/rain', null],
  ['https://site.test/event/rain/a/b', null],
  ['https://site.test/event/%22rain', null],
  ['rain', null],
])('the address %s names %j', (address, expected) => {
  expect(pageOf(address, isOwn)).toEqual(expected)
})

const of = (most: { width?: number | undefined; height?: number | undefined }, more = {}) =>
  oembedOf({ ...page, ...more }, { origin: 'https://site.test', site: 'Augury', title: 'Will "it" <rain>?', most })

test('an answer is a frame with the card of the event', () => {
  expect(of({})).toEqual({
    ...{ version: '1.0', type: 'rich', title: 'Will "it" <rain>?', provider_name: 'Augury', provider_url: 'https://site.test' },
    ...{ width: 480, height: 320, cache_age: 300 },
    html: '<iframe src="https://site.test/embed/rain" width="480" height="320" title="Will &#34;it&#34; &#60;rain&#62;?" style="border:0;max-width:100%" loading="lazy"></iframe>',
  })
  expect(of({}, { locale: 'es', by: 'abc123' }).html).toContain('src="https://site.test/embed/rain?lang=es&#38;by=abc123"')
})

test('the frame of an outcome’s address shows that outcome', () => {
  expect(of({}, { market: 'will-reds-win' }).html).toContain('src="https://site.test/embed/rain?market=will-reds-win"')
  expect(of({}, { market: 'will-reds-win', side: 1 }).html).toContain(
    'src="https://site.test/embed/rain?market=will-reds-win&#38;outcome=no"',
  )
})

test.each([
  [{ width: 300 }, 300, 320],
  [{ width: 3000, height: 200 }, 480, 200],
])('within %j it is %i by %i', (most, width, height) => {
  expect(of(most)).toMatchObject({ width, height })
})
