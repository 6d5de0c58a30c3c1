import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { failureWords } from '../src/lib/failure/failure-words.ts'
import { PLAIN } from '../src/lib/server/brand.ts'
import { failurePage, isBareFailure } from '../src/lib/server/failure-page.ts'

const known = { requestId: '0b5d', theme: 'dark', brand: PLAIN } as const

test.each([
  ['en', 'ltr', 'This page could not be made', 'Try again', 'Browse trending'],
  ['es', 'ltr', 'No se pudo preparar esta página', 'Reintentar', 'Ver tendencias'],
  ['ar', 'rtl', 'تعذّر إعداد هذه الصفحة', 'أعد المحاولة', 'تصفّح الرائج'],
] as const)('in %s it says what failed, what to do and which request it was', async (locale, dir, title, again, home) => {
  const page = failurePage(500, { ...known, locale })
  const html = await page.text()
  expect(page.status).toBe(500)
  expect(html).toContain(`<html lang="${locale}" dir="${dir}" data-theme="dark">`)
  for (const words of [`<h1>${title}</h1>`, `href="">${again}<`, `href="/">${home}<`, '0b5d']) expect(html).toContain(words)
  expect(page.headers.get('x-request-id')).toBe('0b5d')
  expect(html).toContain(`<title>${title} · Augury</title>`)
})

test('it is sent with a policy that lets in its own rules of style, those of the theme, and nothing else', async () => {
  const css = ':root{--bg:light-dark(#fff,#000)}'
  const page = failurePage(500, { ...known, locale: 'en', brand: { ...PLAIN, theme: { css, hash: '' } } })
  const sheets = [...(await page.text()).matchAll(/<style>([\s\S]*?)<\/style>/g)].map(([, sheet]) => sheet!)
  expect(sheets.at(-1)).toBe(css)
  const hashes = sheets.map((sheet) => `'sha256-${createHash('sha256').update(sheet).digest('base64')}'`)
  expect(page.headers.get('content-security-policy')).toBe(
    `default-src 'none'; style-src ${hashes.join(' ')}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  )
})

test('in the place of an event’s card it is shown in frames of other sites, and leads out of them', async () => {
  const page = failurePage(404, { ...known, locale: 'en', framed: true })
  expect(page.headers.get('content-security-policy')).toMatch(/frame-ancestors \*$/)
  expect(await page.text()).toContain('href="/" target="_blank">Browse trending<')
})

test('it takes the place of failures that bring no policy, and of nothing else', () => {
  const html = { 'content-type': 'text/html; charset=utf-8' }
  const answers = [
    new Response('', { status: 500, headers: html }),
    new Response('', { status: 404, headers: html }),
    new Response('', { status: 404, headers: { ...html, 'content-security-policy': "default-src 'self'" } }),
    new Response('', { status: 500, headers: { 'content-type': 'application/json' } }),
    new Response('', { status: 200, headers: html }),
    new Response(null, { status: 404 }),
  ]
  expect(answers.map(isBareFailure)).toEqual([true, true, false, false, false, false])
})

test.each([
  [404, '', 'There is nothing here', /leads nowhere/],
  [404, 'No member has this name.', 'There is nothing here', /^No member has this name\.$/],
  [403, '', 'This page is not open to you', /Sign in/],
  [400, '', 'That did not work', /Nothing was bought/],
  [429, '', 'Too many pages at once', /Wait a moment/],
  [503, 'connect ECONNREFUSED', 'This page could not be made', /^Nothing was bought, sold or moved\. Try again/],
])('of a %d that says %j a page says what happened', (status, own, title, text) => {
  const words = failureWords(status, own)
  expect(words.title).toBe(title)
  expect(words.text).toMatch(text)
})
