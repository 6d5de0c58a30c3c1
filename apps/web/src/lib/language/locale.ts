import { baseLocale, locales } from '#lib/paraglide/runtime.js'

/** A supported language, as a BCP 47 tag. */
export type Locale = (typeof locales)[number]

/** Cookie with the reader's language. */
export const LOCALE_COOKIE = 'locale'

/** Names of the languages, each in itself. */
export const LOCALE_NAMES: Record<Locale, string> = { en: 'English', es: 'Español', ar: 'العربية' }

/** The tag for `Intl`; numbers have Latin digits in every language. */
export const intlTag = (locale: Locale): string => (locale === 'ar' ? 'ar-u-nu-latn' : locale)

/** Text direction of a language. */
export const directionOf = (locale: Locale): 'ltr' | 'rtl' => (locale === 'ar' ? 'rtl' : 'ltr')

/** Parses a language from a cookie, form or URL; null if it is not supported. */
export const readLocale = (value: unknown): Locale | null => locales.find((locale) => locale === value) ?? null

/**
 * Splits a URL path into its language prefix ("/es/event/x") and the path of the page. Without a prefix, pages use the reader's own language; URLs
 * with one are for search engines and for links to a certain language.
 */
export function splitLocale(pathname: string): { locale: Locale | null; path: string } {
  const [, first = ''] = pathname.split('/', 2)
  const locale = readLocale(first)
  return locale === null ? { locale, path: pathname } : { locale, path: pathname.slice(first.length + 1) || '/' }
}

/** The path of a page with a language prefix. */
export const localePath = (locale: Locale, path: string): string => `/${locale}${path === '/' ? '' : path}`

/** The URLs of a page in each offered language, for search engines. */
export const addressesOf = (origin: string, path: string, offered: readonly Locale[]): { locale: Locale; href: string }[] =>
  offered.map((locale) => ({ locale, href: origin + localePath(locale, path) }))

/** The best supported language of an `Accept-Language` header; else English. */
export function preferredLocale(header: string | null): Locale {
  const wanted = (header ?? '')
    .split(',')
    .map((part, i) => {
      const [tag = '', ...parameters] = part.trim().toLowerCase().split(';')
      const weight = parameters.map((each) => /^\s*q=([01](\.\d+)?)\s*$/.exec(each)?.[1]).find((q) => q !== undefined)
      return { language: tag.split('-')[0], weight: Number(weight ?? 1), i }
    })
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight || a.i - b.i)
  for (const { language } of wanted) {
    const locale = readLocale(language)
    if (locale !== null) return locale
  }
  return baseLocale
}
