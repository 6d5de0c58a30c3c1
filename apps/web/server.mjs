// Serves the built site. The adapter assumes https behind a proxy; this tells it what the site's own address says,
// and gives every answer, files and failures included, the headers that make browsers careful.
import { randomUUID } from 'node:crypto'
import { hardenedServer } from '@augury/rest/hardened-server'
import { serveMetrics } from '@augury/rest/metrics-server'
import { readiness } from '@augury/rest/readiness'
import { shutDown } from '@augury/rest/shut-down'
import { siteMetrics } from '@augury/rest/site-metrics'
import { webSettings } from '@augury/settings/env'
import { reportStartErrors } from '@augury/settings/report-start-errors'
import { pino } from 'pino'

/** Milliseconds that requests under way have, once the socket is closed. */
const PATIENCE_MS = 10_000

const begun = reportStartErrors('site', { database: 'DATABASE_URL', ports: ['WEB_PORT', 'METRICS_PORT'] })
const settings = webSettings()
const { host, webPort, origin, publicClobUrl, metricsPort, metricsHost } = settings
const log = pino({ name: 'web', base: { pid: process.pid }, level: settings.logLevel })
const protocol = new URL(origin).protocol.slice(0, -1)
// biome-ignore-start lint/style/noProcessEnv: the adapter reads its own settings from there
process.env.PROTOCOL_HEADER = 'x-forwarded-proto'
process.env.BODY_SIZE_LIMIT = '3M'
// biome-ignore-end lint/style/noProcessEnv: see above
const { handler } = await import('./build/handler.js')

const headers = new Map([
  // Pages bring a policy of their own; this one is for everything else.
  ['Content-Security-Policy', "default-src 'none'; base-uri 'none'; frame-ancestors 'none'"],
  ['X-Content-Type-Options', 'nosniff'],
  ['Referrer-Policy', 'strict-origin-when-cross-origin'],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['X-Frame-Options', 'DENY'],
  ['Permissions-Policy', 'camera=(), geolocation=(), microphone=(), payment=(), usb=()'],
])
const streams = new URL(publicClobUrl).origin.replace(/^http/, 'ws')
if (protocol === 'https') headers.set('Strict-Transport-Security', 'max-age=63072000; includeSubDomains')

/** Answers in JSON, where programs ask. */
const OWN_DOOR = /^\/(api|trpc|admin\/api)(\/|\?|$)/
/** A path with a slash at its end is no route of ours, and the page handler would send programs elsewhere without a word. */
const endsInSlash = (address) => address.split('?', 1)[0].endsWith('/')
const isMalformed = (address) => {
  try {
    decodeURI(address.split('?', 1)[0])
    return false
  } catch {
    return true
  }
}

/** Every failure of an admin route says that it is one. */
const extras = (address) => (address.startsWith('/admin/api') ? { success: false } : {})

function refuse({ url }, response, status, body, headers = {}) {
  const text = JSON.stringify({ ...extras(url), ...body })
  response.writeHead(status, {
    ...{ 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': Buffer.byteLength(text) },
    ...{ 'X-Request-Id': randomUUID(), 'Cache-Control': 'no-store', ...headers },
  })
  response.end(text)
}

const pages = (request, response) => handler(request, response, () => response.writeHead(404).end())
const answer = globalThis.__answerAhead ? globalThis.__answerAhead(pages) : pages

const facts = globalThis.__siteFacts
const going = new AbortController()
const answerReadyz = readiness(facts.needs, going.signal)
const metrics = metricsPort === null ? null : siteMetrics(facts)
const stopMetrics = metrics && (await serveMetrics(metrics, metricsPort, metricsHost))

const server = hardenedServer((request, response) => {
  request.headers['x-forwarded-proto'] = protocol
  response.setHeaders(headers)
  // Probes use the program's own address, not the site's: pages would redirect them.
  if (request.url === '/healthz')
    return response
      .writeHead(200, { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' })
      .end('{"status":"ok"}')
  if (request.url.split('?', 1)[0] === '/readyz') return void answerReadyz(request, response)
  metrics?.count(request, response)
  // The policy of a worker is that of its file: one asks its own site only, the others the stream of the exchange.
  if (request.url === '/service-worker.js')
    response.setHeader('Content-Security-Policy', "default-src 'none'; connect-src 'self'; script-src 'self'")
  else if (request.url.startsWith('/_app/immutable/workers/'))
    response.setHeader('Content-Security-Policy', `default-src 'none'; connect-src ${streams}; frame-ancestors 'none'`)
  // What other sites may frame brings a policy of its own, and has no session.
  if (request.url.startsWith('/embed/')) {
    response.removeHeader('X-Frame-Options')
    response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin')
  }
  // The page handler would refuse such a method, or address, before any route of ours sees it, with a page.
  if (request.method === 'TRACE')
    return refuse(request, response, 405, { error: 'Method not allowed', code: 'method_not_allowed' }, { Allow: 'GET, HEAD' })
  const isOurs = OWN_DOOR.test(request.url)
  if (isOurs && isMalformed(request.url)) return refuse(request, response, 400, { error: 'Bad request', code: 'bad_request' })
  if (isOurs && endsInSlash(request.url)) return refuse(request, response, 404, { error: 'Not found', code: 'not_found' })
  answer(request, response)
})
server.listen(webPort, host, () => {
  begun()
  const { mode, redisUrl, smtpUrl, uploadsUrl, rpcUrl } = settings
  const has = { redis: redisUrl !== null, mail: smtpUrl !== null, uploads: uploadsUrl !== null, node: rpcUrl !== null }
  log.info({ port: webPort, origin, mode, metricsPort, ...has }, 'listening')
})

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, async () => {
    if (going.signal.aborted) return
    going.abort()
    log.info({ signal, drainSeconds: settings.drainSeconds }, 'stopping')
    await shutDown(server, { drainMs: settings.drainSeconds * 1000, patienceMs: PATIENCE_MS })
    await stopMetrics?.()
    process.emit('sveltekit:shutdown', signal)
  })
}
