import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Edge } from '@augury/venue/serve/edge'
import { closeSoon } from '@augury/venue/serve/streams/socket'
import { CLOSE } from '@augury/wire/limits'
import { parse } from '@augury/wire/parse'
import { ServiceError } from '@augury/wire/service-error'
import { subscriptionLogin } from '@augury/wire/subscriptions'
import { getWSConnectionHandler } from '@trpc/server/adapters/ws'
import { type Carried, reportBug, rootOf } from './trpc.ts'
import { type VenueSocket, venueStreams } from './venue-streams.ts'

const root = rootOf<Record<never, never>, VenueSocket, typeof venueStreams>(
  {},
  async () => {
    throw new Error('a socket calls no operation')
  },
  venueStreams,
)
type Serve = ReturnType<typeof getWSConnectionHandler<typeof root>>
/** A socket, which may have a limit of the work that its client asks for. */
type WebSocket = Parameters<Serve>[0] & { charge?(ms: number): void; readonly limitedAddress?: string | null }

/** Most calls in one message: a reconnecting client sends all its subscriptions at once. */
const BATCH = 20

/** Milliseconds of quiet before a socket is asked whether its client is still there, and those that an answer may take. */
const [PING_MS, PONG_MS] = [10_000, 10_000]

/** Subscriptions of the order-book service over WebSockets at `/trpc`, in tRPC's own protocol for its `wsLink`. */
export class VenueSockets {
  readonly #sockets = new Set<WebSocket>()
  /** Subscriptions under way and sockets of each address that has limits. */
  readonly #addresses = new Map<string, { open: number; sockets: number }>()
  readonly #serve: Serve

  constructor(edge: Edge, onBug: (error: unknown) => void) {
    this.#serve = getWSConnectionHandler<typeof root>({
      router: root,
      maxBatchSize: BATCH,
      keepAlive: { enabled: true, pingMs: PING_MS, pongWaitMs: PONG_MS },
      createContext: ({ res, info }): Carried<VenueSocket> => ({
        carried: socketOf(edge, res, info.connectionParams, this.#ofAddress(res)),
      }),
      onError: ({ error }) => reportBug(error, onBug),
    } as Parameters<typeof getWSConnectionHandler<typeof root>>[0])
  }

  /** Serves a socket whose upgrade is done. */
  accept(ws: WebSocket, _raw: Duplex, incoming: IncomingMessage): void {
    this.#sockets.add(ws)
    const { limitedAddress: address = null } = ws
    const count = (address !== null && this.#addresses.get(address)) || { open: 0, sockets: 0 }
    if (address !== null) this.#addresses.set(address, count)
    count.sockets++
    ws.on('close', () => {
      this.#sockets.delete(ws)
      if (--count.sockets === 0 && address !== null) this.#addresses.delete(address)
    })
    ws.on('error', () => ws.terminate())
    this.#serve(ws, incoming)
  }

  #ofAddress({ limitedAddress: address = null }: WebSocket): VenueSocket['ofAddress'] {
    return address === null ? null : (this.#addresses.get(address) ?? null)
  }

  /** Open sockets. */
  get size(): number {
    return this.#sockets.size
  }

  /** Closes all sockets when the process stops. */
  close(): void {
    for (const ws of this.#sockets) closeSoon(ws, CLOSE.draining, 'draining')
  }
}

/**
 * A login is proven once, when the socket opens; a subscription to private data gets the error of a bad login. A key that was revoked since
 * opens nothing more.
 */
function socketOf(edge: Edge, ws: WebSocket, login: Record<string, unknown> | null, ofAddress: VenueSocket['ofAddress']): VenueSocket {
  const outlet = {
    buffered: () => ws.bufferedAmount,
    worked: (ms: number) => ws.charge?.(ms),
    close: (code: number, reason: string) => closeSoon(ws, code, reason),
  }
  const refused = (error: ServiceError) => () => {
    throw error
  }
  if (!login) return { edge, outlet, open: 0, ofAddress, trader: refused(new ServiceError('bad_headers')) }
  try {
    const trader = edge.gateway.verifyLogin(parse(subscriptionLogin, login), '/trpc')
    const stillThere = () => {
      if (edge.context.keys.find(trader.key)) return trader
      throw new ServiceError('unknown_key')
    }
    return { edge, outlet, open: 0, ofAddress, trader: stillThere }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return { edge, outlet, open: 0, ofAddress, trader: refused(error) }
  }
}
