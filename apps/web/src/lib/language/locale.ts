import { baseLocale, locales } from '#lib/paraglide/runtime.js'

/** A language that the site speaks, as a BCP 47 tag. */
export type Locale = (typeof locales)[number]

/** The cookie that keeps a reader's choice of language. */
export const LOCALE_COOKIE = 'locale'

/** Every language by the name it gives itself. */
export const LOCALE_NAMES: Record<Locale, string> = { en: 'English', es: 'Español', ar: 'العربية' }

/** The tag by which `Intl` writes numbers and dates: figures of a market are the same ten digits everywhere. */
export const intlTag = (locale: Locale): string => (locale === 'ar' ? 'ar-u-nu-latn' : locale)

/** Which way a language is written. */
export const directionOf = (locale: Locale): 'ltr' | 'rtl' => (locale === 'ar' ? 'rtl' : 'ltr')

/** Reads a language from a cookie, a form or an address; null when the site does not speak it. */
export const readLocale = (value: unknown): Locale | null => locales.find((locale) => locale === value) ?? null

/**
 * Parts the path of an address into the language it names ("/es/event/x") and the page it means. An address without a language is the page
 * in the reader's own; one with it is for search engines, and for showing somebody a page in a certain language.
 */
export function splitLocale(pathname: string): { locale: Locale | null; path: string } {
  const [, first = ''] = pathname.split('/', 2)
  const locale = readLocale(first)
  return locale === null ? { locale, path: pathname } : { locale, path: pathname.slice(first.length + 1) || '/' }
}

/** The path of a page in a certain language. */
export const inLocale = (locale: Locale, path: string): string => `/${locale}${path === '/' ? '' : path}`

/** The addresses of one page in each language that a site offers: what search engines are told. */
export const addressesOf = (origin: string, path: string, offered: readonly Locale[]): { locale: Locale; href: string }[] =>
  offered.map((locale) => ({ locale, href: origin + inLocale(locale, path) }))

/** The first language of an `Accept-Language` header, by weight, that the site speaks; else English. */
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
