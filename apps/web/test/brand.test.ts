import type { SiteBrand } from '@augury/platform/themes/site-brand'
import { expect, test } from 'vitest'
import { allowTheme, shownBrand, themed } from '../src/lib/server/brand.ts'

const HEAD =
  '<head><meta name="theme-color" content="#ffffff" media="(prefers-color-scheme: light)"><meta name="theme-color" content="#131920" media="(prefers-color-scheme: dark)"></head>'
const brand: SiteBrand = {
  ...{
    name: 'Delphi',
    description: 'Ask.',
    logo: null,
    icons: { small: '/uploads/a.png', large: '' },
    links: [],
    analyticsId: 'G-1',
    walletConnectId: '',
  },
  ...{ locales: ['en'], defaultLocale: 'en', colours: { light: '#fafafa', dark: '#101010', background: '#ffffff' } },
  announcement: null,
  theme: { css: ':root{--bg:light-dark(#fff,#000)}', hash: 'sha256-abc=' },
}

test('a theme comes last in the head, and the bars of the browser follow it', () => {
  const html = themed(HEAD, brand)
  expect(html).toContain('content="#fafafa" media="(prefers-color-scheme: light)"')
  expect(html).toContain('content="#101010" media="(prefers-color-scheme: dark)"')
  expect(html).toMatch(/<style>:root\{--bg:light-dark\(#fff,#000\)\}<\/style><\/head>$/)
})

test('the policy lets in the rule of the theme by its hash, and no other', () => {
  const policy = "default-src 'self'; style-src 'self'; script-src 'self'"
  expect(allowTheme(policy, brand)).toBe("default-src 'self'; style-src 'self' 'sha256-abc='; script-src 'self'")
})

test('a site that looks as it comes is sent as it is', () => {
  const plain = { ...brand, theme: null }
  expect([themed(HEAD, plain), allowTheme("style-src 'self'", plain)]).toEqual([HEAD, "style-src 'self'"])
})

test('pages know the brand and nothing of what is behind it', () => {
  expect(shownBrand(brand)).toEqual({ name: 'Delphi', description: 'Ask.', logo: null, links: [], locales: ['en'] })
})
