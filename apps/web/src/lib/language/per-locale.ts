import { getLocale } from '#lib/paraglide/runtime.js'
import { intlTag, type Locale } from './locale.ts'

/** Returns an `Intl` formatter for the page's language, cached by language. */
export function perLocale<T>(make: (tag: string) => T): () => T {
  const made = new Map<Locale, T>()
  return () => {
    const locale = getLocale()
    const cached = made.get(locale)
    if (cached !== undefined) return cached
    const fresh = make(intlTag(locale))
    made.set(locale, fresh)
    return fresh
  }
}
