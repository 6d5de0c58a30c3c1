import { readLocale } from '#lib/language/locale.ts'
import { readPageZone } from '#lib/language/reader-zone.svelte.ts'
import { baseLocale, overwriteGetLocale } from '#lib/paraglide/runtime.js'
import { closeBeside, guardDoubleClicks } from '#lib/parts/presses.ts'
import { updated } from '$app/state'

// An open page keeps the language it was rendered in.
const locale = readLocale(document.documentElement.lang) ?? baseLocale
overwriteGetLocale(() => locale)
readPageZone()

guardDoubleClicks(document)
closeBeside(document)

// After an upgrade, chunks of the previous build are gone: reloads the page, which keeps its drafts.
addEventListener('vite:preloadError', async () => {
  if (await updated.check()) location.reload()
})

// The service worker lets pages open without a network.
void navigator.serviceWorker?.ready.then(({ active }) => {
  if (!navigator.serviceWorker.controller) active?.postMessage('claim')
})
