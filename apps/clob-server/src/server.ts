import { once } from 'node:events'
import type { IncomingMessage, RequestListener, Server } from 'node:http'
import type { BlockList } from 'node:net'
import { VenueSockets } from '@augury/api/venue-socket'
import { clientAddresses, trustedProxies } from '@augury/rest/client-address'
import { exactPaths } from '@augury/rest/exact-paths'
import { hardenedServer } from '@augury/rest/hardened-server'
import { httpApp, type OnBug } from '@augury/rest/http'
import { serveMetrics } from '@augury/rest/metrics-server'
import { hangUp, sayGoodbye } from '@augury/rest/shut-down'
import { TradeSockets } from '@augury/rest/trade-sockets'
import { refuseUnaddressed } from '@augury/rest/unreadable'
import { venueRoutes } from '@augury/rest/venue'
import { type DocumentedVenue, serveVenueDocuments } from '@augury/rest/venue-documents'
import { type ClobSettings, SettingsError } from '@augury/settings/env'
import { openVenue } from '@augury/venue/record/open-venue'
import type { Venue, VenueOptions } from '@augury/venue/record/venue'
import { type Edge, openEdge } from '@augury/venue/serve/edge'
import { siteReader } from '@augury/venue/serve/reference/site-reader'
import { ServiceError } from '@augury/wire/service-error'
import { getRequestListener } from '@hono/node-server'
import type { Logger } from 'pino'
import { type Metrics, openMetrics } from './metrics.ts'
import { serveTrpc } from './trpc.ts'
import { isForStream, type Streams, serveStreams } from './upgrades.ts'

/** A running order-book service. */
export interface ClobServer {
  /** URL at which it answers. */
  url: string
  venue: Venue
  edge: Edge
  /**
   * Says at `/readyz` that it is going, and serves on until proxies have noticed. Then accepts no further command, finishes those under way,
   * releases the lease, closes the streams, and waits for history to catch up.
   */
  close(): Promise<void>
}

/** Options beside the settings: `standby`, and those that only tests use. */
export type ClobServerOptions = Partial<Pick<VenueOptions, 'requireDurability' | 'snapshotEvery' | 'standby'>>

/** Milliseconds that requests under way have to finish. */
const PATIENCE_MS = 5000

/** Opens the exchange and serves it over HTTP and WebSockets. `onFatal` is called when this process must not go on. */
export async function startClobServer(
  settings: ClobSettings,
  log: Logger,
  onFatal: (error: Error) => void,
  options: ClobServerOptions = {},
): Promise<ClobServer> {
  const { host, clobDatabaseUrl: databaseUrl } = settings
  const port = options.standby ? settings.standbyPort : settings.clobPort
  const venue = await openVenue({
    databaseUrl,
    dataDir: settings.dataDir,
    log: { info: (text) => log.info(text), warn: (text) => log.warn(text), error: (text) => log.error(text) },
    onFatal,
    ...(settings.proofEvery > 0 ? { proof: { every: settings.proofEvery * 1000, keys: settings.proofKeyRing } } : {}),
    ...options,
  })
  const sandbox = settings.mode === 'sandbox'
  const publicHost = new URL(settings.publicClobUrl).host
  const edge = await openEdge(
    venue,
    {
      databaseUrl,
      sandbox,
      vault: vaultOf(settings),
      chainId: settings.chainId,
      compatAuth: settings.compatAuth,
      apiKeySecret: settings.apiKeySecret,
      requireProxyWallet: settings.requireProxyWallet,
      venueAddresses: settings.venueAddresses,
      operatorAddresses: settings.operatorAddresses,
      site: settings.siteUrl === null ? null : siteReader(settings.siteUrl),
      hosts: [...new Set([publicHost, ...(sandbox ? [`localhost:${port}`, `127.0.0.1:${port}`] : [])])],
    },
    (error) => log.error({ err: error }, 'in the background'),
  )
  const proxies = trustedProxies(settings.trustedProxies)
  const clientOf = clientsOf(proxies)
  const subscriptions = new VenueSockets(edge, (error) => log.error({ err: error }, 'a subscription failed'))
  const trade = new TradeSockets({ edge, onBug: bugLog(log), onAnswer: (...answered) => metrics.onAnswer(...answered) })
  const metrics = openMetrics(venue, edge, { trpc: subscriptions, trade })
  const stopMetrics = settings.metricsPort === null ? null : await serveMetrics(metrics, settings.metricsPort, settings.metricsHost)
  const streams = streamsOf(edge, { '/trpc': subscriptions, '/ws/trade': trade })
  const going = new AbortController()
  const server = httpServer(edge, clientOf, metrics, { url: settings.publicClobUrl, sandbox }, streams, log, going.signal)
  serveStreams(server, streams, clientOf, (error) => log.error({ err: error }, 'a message of a stream failed'))
  server.listen(port, host)
  await once(server, 'listening')
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    venue,
    edge,
    async close() {
      going.abort()
      await sayGoodbye(server, settings.drainSeconds * 1000)
      await close(server, edge, venue, [subscriptions, trade])
      await stopMetrics?.()
    },
  }
}

/** Everything that is served over sockets, by path. */
function streamsOf({ stream, userStream, compatStreams: { market, user, live } }: Edge, transports: Streams): Streams {
  const established = { '/compat/ws/market': market, '/compat/ws/user': user, '/compat/live': live }
  return { '/ws/market': stream, '/ws/user': userStream, ...transports, ...established }
}

const bugLog =
  (log: Logger): OnBug =>
  (error, facts) =>
    log.error({ err: error, ...facts }, 'a request failed')

/** The vault whose deposits alone are credited, in lower case. A sandbox also credits by hand. Throws SettingsError. */
function vaultOf({ mode, settlement, vaultAddress }: Pick<ClobSettings, 'mode' | 'settlement' | 'vaultAddress'>): string | undefined {
  if (mode === 'sandbox' || settlement !== 'chain') return
  if (!vaultAddress)
    throw new SettingsError(['VAULT_ADDRESS must be set where SETTLEMENT is chain: deposits are credited from this vault alone'])
  return vaultAddress.toLowerCase()
}

/** Returns the client address of a request, as far as trusted proxies tell it. */
function clientsOf(proxies: BlockList): (incoming: IncomingMessage | null) => string {
  const addressOf = clientAddresses(proxies)
  return (incoming) => addressOf(incoming?.socket.remoteAddress ?? '', incoming?.headers['x-forwarded-for']?.toString())
}

/** The server, which does not listen yet. */
function httpServer(
  edge: Edge,
  clientOf: (incoming: IncomingMessage | null) => string,
  { onAnswer }: Metrics,
  documented: DocumentedVenue,
  streams: Streams,
  log: Logger,
  going: AbortSignal,
): Server {
  const routes = venueRoutes({ edge, clientOf, onAnswer, onBug: bugLog(log) })
  const app = httpApp(routes)
  serveVenueDocuments(app, documented)
  serveTrpc(app, edge, clientOf, log)
  // Stands in for the host that HTTP/1.0 requests lack: no route depends on it.
  const listening = getRequestListener(app.fetch, { hostname: 'localhost', errorHandler: refuseUnaddressed })
  return hardenedServer(unreadyOnce(going, exactPaths(routes, listening)), {
    shouldUpgradeCallback: (incoming: IncomingMessage) => isForStream(streams, incoming),
  })
}

/** Turns `/readyz` to 503, while everything else is answered as before: the writer writes until proxies stop sending to it. */
const unreadyOnce =
  (going: AbortSignal, answer: RequestListener): RequestListener =>
  (incoming, outgoing) => {
    if (!going.aborted || incoming.url !== '/readyz') return answer(incoming, outgoing)
    const head = { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' }
    const { message, code } = new ServiceError('service_unavailable')
    outgoing.writeHead(503, head).end(JSON.stringify({ error: message, code, status: 'draining' }))
  }

async function close(server: Server, edge: Edge, venue: Venue, sockets: readonly { close(): void }[]): Promise<void> {
  await venue.drain() // every accepted command is answered, and its frames are written
  edge.stream.close()
  edge.compatStreams.close()
  edge.userStream.close()
  for (const each of sockets) each.close()
  await hangUp(server, PATIENCE_MS)
  await edge.close()
  await venue.close()
}
