import { readLocale } from '#lib/locale.ts'
import { baseLocale, overwriteGetLocale } from '#lib/paraglide/runtime.js'

// A page has one language for as long as it is open: the one the server wrote on it.
const locale = readLocale(document.documentElement.lang) ?? baseLocale
overwriteGetLocale(() => locale)
