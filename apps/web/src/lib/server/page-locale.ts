import { AsyncLocalStorage } from 'node:async_hooks'
import { type Locale, preferredLocale, readLocale, splitLocale } from '#lib/language/locale.ts'
import { baseLocale, overwriteGetLocale } from '#lib/paraglide/runtime.js'

const current = new AsyncLocalStorage<Locale>()
overwriteGetLocale(() => current.getStore() ?? baseLocale)

/** Runs something that writes a page in a language: every message below it is in that one, also after an await. */
export const speaking = <T>(locale: Locale, write: () => T): T => current.run(locale, write)

/** The language of a request: what its address names, else what its reader chose, else what the browser prefers. */
export const localeOf = ({ pathname }: URL, cookie: string | undefined, acceptLanguage: string | null): Locale =>
  splitLocale(pathname).locale ?? readLocale(cookie) ?? preferredLocale(acceptLanguage)

/** The choice that an address makes for the pages after it, whose links name no language. Null when it names none, or when no person reads it. */
export const localeChosenBy = ({ url, request }: { url: URL; request: Request }): Locale | null =>
  request.headers.get('sec-fetch-dest') === 'document' ? splitLocale(url.pathname).locale : null
