import { expect, test } from 'vitest'
import { announced } from '../src/lib/server/announcement.ts'
import { PLAIN } from '../src/lib/server/brand.ts'
import { withLocale } from '../src/lib/server/page-locale.ts'

const PAGE = '<body><div class="app">…</div></body>'
const NOON = Date.UTC(2026, 10, 20, 12)
const announcement = {
  texts: { en: 'Trading pauses at <b>noon</b> & "ends"', ar: 'يتوقف التداول ظهرًا' },
  ...{ tone: 'warning' as const, link: 'https://status.example/?a=1&b="', until: '2026-11-20T12:00:00.000Z' },
}
const at = (now: number, locale: 'en' | 'es' | 'ar' = 'en', more: Partial<typeof announcement> = {}) => {
  const brand = { ...PLAIN, announcement: { ...announcement, ...more } }
  return withLocale(locale, () => announced(PAGE, brand, locale, new Date(now)))
}

test('the announcement is in the page as plain text', () => {
  expect(at(NOON - 1)).toBe(
    '<body><div class="app">…</div><aside class="announcement warning" aria-label="Announcement"><p><span>Trading pauses at &#60;b&#62;noon&#60;/b&#62; &#38; &#34;ends&#34;</span>' +
      ' <a href="https://status.example/?a=1&#38;b=&#34;">Read more</a></p></aside></body>',
  )
  expect(at(NOON - 1, 'en', { link: '' })).not.toContain('<a ')
})

test('it is shown until its end, or until it is removed', () => {
  expect(at(NOON)).toBe(PAGE)
  expect(at(NOON + 86_400_000, 'en', { until: '' })).toContain('<aside')
  expect(announced(PAGE, PLAIN, 'en', new Date(NOON))).toBe(PAGE)
})

test('a reader reads it in the language of the page, or in one that it was written in, which is named', () => {
  expect(at(0, 'ar')).toContain('<span>يتوقف')
  expect(at(0, 'es')).toContain('aria-label="Aviso"><p><span lang="en" dir="ltr">Trading')
  expect(at(0, 'es', { texts: { ar: 'ظهرًا' } as never })).toContain('<span lang="ar" dir="rtl">ظهرًا')
})

test('a part of a page that has no end is sent as it is', () => {
  expect(announced('<script>"$&"</script>', { ...PLAIN, announcement }, 'en', new Date(0))).toBe('<script>"$&"</script>')
})
