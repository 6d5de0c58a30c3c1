import { readLocale } from '#lib/language/locale.ts'
import { baseLocale, overwriteGetLocale } from '#lib/paraglide/runtime.js'
import { closeBeside, guardDoubleClicks } from '#lib/parts/presses.ts'
import { updated } from '$app/state'

// A page has one language for as long as it is open: the one the server wrote on it.
const locale = readLocale(document.documentElement.lang) ?? baseLocale
overwriteGetLocale(() => locale)

guardDoubleClicks(document)
closeBeside(document)

// An upgraded site has not the parts that an open page of the former one loads later: it is loaded anew, and keeps its drafts.
addEventListener('vite:preloadError', async () => {
  if (await updated.check()) location.reload()
})

// Without a worker that answers for it, a page would not open without a network.
void navigator.serviceWorker?.ready.then(({ active }) => {
  if (!navigator.serviceWorker.controller) active?.postMessage('claim')
})
