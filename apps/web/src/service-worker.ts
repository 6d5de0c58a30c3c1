/// <reference lib="webworker" />
import { version } from '$app/env'
import { immutable } from '$app/manifest'

/**
 * Lets the site open without a network: caches the shell, immutable files, and pages visited within a day, marked with their time. API responses
 * and pages about money or accounts are never cached; the offline page is shown instead.
 */
const worker = globalThis as unknown as ServiceWorkerGlobalScope
/** Caches: pages of this build, dropped when another member signs in; its shell, which has no member; immutable files. */
const PAGES = `pages-${version}`
const SHELL = `shell-${version}`
const FILES = 'immutable'
const OFFLINE = '/offline'
const DAY_MS = 86_400_000
/** Header of a cached response: when it was cached, in Unix milliseconds. */
const KEPT_AT = 'x-kept-at'
/** Most cached pages; the oldest is dropped first. */
const MOST_PAGES = 60

/** Paths that are not pages, embeds (which cannot show their age), and pages that are never cached. */
const NO_PAGE = /^(\/(en|es|ar))?\/(api|trpc|admin\/api|appearance|art|embed|uploads|r)(\/|$)|\.(csv|md|png|txt|webmanifest|xml)$/
const PRIVATE = /^(\/(en|es|ar))?\/(admin|settings|money|portfolio|login|notifications)(\/|$)/

worker.addEventListener('install', (event) => {
  const shell = async () => {
    await (await caches.open(SHELL)).add(OFFLINE)
    // All immutable files, as any may be needed without a network.
    const files = await caches.open(FILES)
    const wanted = immutable.map(({ path }) => `/${path.replace(/^\//, '')}`)
    await Promise.allSettled(wanted.map(async (path) => (await files.match(path)) ?? files.add(path)))
  }
  event.waitUntil(shell())
  void worker.skipWaiting()
})

worker.addEventListener('activate', (event) => {
  const others = async () => {
    const names = await caches.keys()
    await Promise.all(names.filter((name) => ![PAGES, SHELL, FILES].includes(name)).map((name) => caches.delete(name)))
    await worker.clients.claim()
  }
  event.waitUntil(others())
})

/** A page loaded before this worker was active is not controlled by it until it asks to be claimed. */
worker.addEventListener('message', (event) => {
  if (event.data === 'claim') event.waitUntil(worker.clients.claim())
})

/** A click on a notification opens the page that showed it, or the list of all. */
worker.addEventListener('notificationclick', (event) => {
  event.notification.close()
  const open = async () => {
    const [page] = await worker.clients.matchAll({ type: 'window' })
    await (page ? page.focus() : worker.clients.openWindow('/notifications'))
  }
  event.waitUntil(open())
})

worker.addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (request.method !== 'GET' || url.origin !== location.origin) return
  if (url.pathname.includes('/immutable/') || url.pathname === '/icon.svg') return event.respondWith(fromFiles(request))
  const isData = url.pathname.endsWith('__data.json')
  if (NO_PAGE.test(url.pathname) || !(request.mode === 'navigate' || isData)) return
  event.respondWith(fromNetwork(event, isData, !PRIVATE.test(url.pathname)))
})

async function fromFiles(request: Request): Promise<Response> {
  const cache = await caches.open(FILES)
  const kept = await cache.match(request)
  if (kept) return kept
  const answer = await fetch(request)
  if (answer.ok) await cache.put(request, answer.clone())
  return answer
}

/** Network first; without it the page cached within a day, or the offline page. */
async function fromNetwork(event: FetchEvent, isData: boolean, keeps: boolean): Promise<Response> {
  try {
    const answer = await fetch(event.request)
    if (keeps && answer.ok && answer.type === 'basic' && !answer.redirected) event.waitUntil(keep(event.request, answer.clone()))
    return answer
  } catch {
    const kept = keeps ? await (await caches.open(PAGES)).match(event.request) : undefined
    const at = Number(kept?.headers.get(KEPT_AT))
    if (kept && Date.now() - at < DAY_MS) return isData ? kept : marked(kept, at)
    // The router follows this like any redirect in page data.
    if (isData) return Response.json({ type: 'redirect', location: `${OFFLINE}?next=${encodeURIComponent(pageOf(event.request))}` })
    return (await caches.match(OFFLINE, { cacheName: SHELL })) ?? Response.error()
  }
}

/** The page path of a request for page data. */
function pageOf({ url }: Request): string {
  const { pathname, searchParams } = new URL(url)
  for (const name of [...searchParams.keys()]) if (name.startsWith('x-sveltekit-')) searchParams.delete(name)
  const path = pathname.replace(/(\/|\.html)?__data\.json$/, '') || '/'
  return searchParams.size > 0 ? `${path}?${searchParams}` : path
}

async function keep(request: Request, answer: Response): Promise<void> {
  const cache = await caches.open(PAGES)
  const headers = new Headers(answer.headers)
  headers.set(KEPT_AT, String(Date.now()))
  await cache.put(request, new Response(await answer.blob(), { headers }))
  const kept = await cache.keys()
  for (const old of kept.slice(0, Math.max(0, kept.length - MOST_PAGES))) await cache.delete(old)
}

/** A cached page, marked with its time. */
async function marked(kept: Response, at: number): Promise<Response> {
  const html = (await kept.text()).replace('<html ', `<html data-kept-at="${at}" `)
  return new Response(html, { headers: kept.headers })
}
