/// <reference lib="webworker" />
import { version } from '$app/env'
import { immutable } from '$app/manifest'

/**
 * Makes the site open without a network: the shell, files that never change, and pages that were looked at within a day, marked with
 * their time. Answers of the API, and pages about somebody's money or account, are never kept.
 */
const worker = globalThis as unknown as ServiceWorkerGlobalScope
/** Pages and the shell of this build; and files whose names change when they do. */
const PAGES = `pages-${version}`
const FILES = 'immutable'
const OFFLINE = '/offline'
const DAY_MS = 86_400_000
/** Header of a kept answer: when it was kept, in Unix milliseconds. */
const KEPT_AT = 'x-kept-at'
/** Kept pages; the oldest goes first. */
const MOST_PAGES = 60

const PRIVATE = /^(\/(en|es|ar))?\/(admin|api|trpc|settings|money|portfolio|login|notifications|appearance|uploads|r)(\/|$)/

worker.addEventListener('install', (event) => {
  const shell = async () => {
    await (await caches.open(PAGES)).addAll([OFFLINE, '/icon.svg'])
    // Everything that never changes: what is not looked at now may be asked for without a network.
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
    await Promise.all(names.filter((name) => name !== PAGES && name !== FILES).map((name) => caches.delete(name)))
    await worker.clients.claim()
  }
  event.waitUntil(others())
})

worker.addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (request.method !== 'GET' || url.origin !== location.origin) return
  if (url.pathname.includes('/immutable/') || url.pathname === '/icon.svg') return event.respondWith(fromFiles(request))
  const isData = url.pathname.endsWith('__data.json')
  if (PRIVATE.test(url.pathname) || !(request.mode === 'navigate' || isData)) return
  event.respondWith(fromNetwork(event, isData))
})

async function fromFiles(request: Request): Promise<Response> {
  const cache = await caches.open(FILES)
  const kept = await cache.match(request)
  if (kept) return kept
  const answer = await fetch(request)
  if (answer.ok) await cache.put(request, answer.clone())
  return answer
}

/** The network first; without it what was kept within a day, and else the page that says so. */
async function fromNetwork(event: FetchEvent, isData: boolean): Promise<Response> {
  try {
    const answer = await fetch(event.request)
    if (answer.ok && answer.type === 'basic' && !answer.redirected) event.waitUntil(keep(event.request, answer.clone()))
    return answer
  } catch {
    const kept = await (await caches.open(PAGES)).match(event.request)
    const at = Number(kept?.headers.get(KEPT_AT))
    if (kept && Date.now() - at < DAY_MS) return isData ? kept : marked(kept, at)
    // The router follows this as it follows any redirect of a page's data.
    if (isData) return Response.json({ type: 'redirect', location: OFFLINE })
    return (await caches.match(OFFLINE)) ?? Response.error()
  }
}

async function keep(request: Request, answer: Response): Promise<void> {
  const cache = await caches.open(PAGES)
  const headers = new Headers(answer.headers)
  headers.set(KEPT_AT, String(Date.now()))
  await cache.put(request, new Response(await answer.blob(), { headers }))
  const kept = await cache.keys()
  for (const old of kept.filter(({ url }) => new URL(url).pathname !== OFFLINE).slice(0, Math.max(0, kept.length - MOST_PAGES))) {
    await cache.delete(old)
  }
}

/** A kept page that says of when it is. */
async function marked(kept: Response, at: number): Promise<Response> {
  const html = (await kept.text()).replace('<html ', `<html data-kept-at="${at}" `)
  return new Response(html, { headers: kept.headers })
}
