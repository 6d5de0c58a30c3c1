import { AsyncLocalStorage } from 'node:async_hooks'
import { type Locale, preferredLocale, readLocale, splitLocale } from '#lib/language/locale.ts'
import { overwriteGetZone, readZone, UTC } from '#lib/language/zone.ts'
import { baseLocale, overwriteGetLocale } from '#lib/paraglide/runtime.js'

const current = new AsyncLocalStorage<Locale>()
overwriteGetLocale(() => current.getStore() ?? baseLocale)

/** Runs a function with a language, which applies to every message in it, also after an await. */
export const withLocale = <T>(locale: Locale, write: () => T): T => current.run(locale, write)

const zone = new AsyncLocalStorage<string>()
overwriteGetZone(() => zone.getStore() ?? UTC)

/** The same with a time zone, in which every time in it is written. */
export const withZone = <T>(name: string, write: () => T): T => zone.run(name, write)

/** Files and embedded cards. Shared caches keep them, so none is written in the language of the first visitor. */
const FOR_EVERYBODY = /\.\w+$|^\/embed\//

/** Language of a request: from the URL, else from the cookie, else from `Accept-Language`. Null for what is the same for everybody. */
export const localeOf = ({ pathname }: URL, cookie: string | undefined, acceptLanguage: string | null): Locale | null =>
  splitLocale(pathname).locale ?? (FOR_EVERYBODY.test(pathname) ? null : (readLocale(cookie) ?? preferredLocale(acceptLanguage)))

/** Time zone of a request: the one that the reader's browser has told, and UTC for what is the same for everybody. */
export const zoneOf = ({ pathname }: URL, cookie: string | undefined): string =>
  FOR_EVERYBODY.test(pathname) ? UTC : (readZone(cookie) ?? UTC)

/**
 * The language in a URL, to be stored for the following pages, whose links have none. Null if it has none, or if the request is not a navigation
 * of a tab. Of one that the service worker asks for, browsers tell the mode and no destination.
 */
export function localeChosenBy({ url, request: { headers } }: { url: URL; request: Request }): Locale | null {
  const isOfTab = ['document', 'empty'].includes(headers.get('sec-fetch-dest') ?? '')
  return isOfTab && headers.get('sec-fetch-mode') === 'navigate' ? splitLocale(url.pathname).locale : null
}
