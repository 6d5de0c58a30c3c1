import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { ENVELOPE_BYTES } from '@augury/rest/trade-answer'
import { namesHost, refuseRaw, splitTarget } from '@augury/rest/unreadable'
import { isLoopback } from '@augury/venue/serve/access/loopback'
import { BATCH_BODY_LIMIT } from '@augury/wire/limits'
import { type WebSocket, WebSocketServer } from 'ws'
import { PacedSocket, WorkLimiter } from './paced-socket.ts'

/** Most sockets that one client address may hold open. Loopback has no limits. */
const SOCKETS_PER_ADDRESS = 100
/** When who holds all of them may try again, in seconds. */
const PATIENCE = { 'Retry-After': '10' }
/** Most bytes of a client's message. */
const MESSAGE_BYTES = 64 * 1024
/** Most fragments of it: each takes far more memory than its bytes until the message is whole. */
const MESSAGE_FRAGMENTS = 256

/** Takes sockets after their upgrade. */
export interface Stream {
  /** Whether it decides itself when to read on, as its budgets count what a client may do; its messages may be longer. */
  readonly isPaced?: boolean
  /** `from` is the client's address. */
  accept(ws: WebSocket, raw: Duplex, incoming: IncomingMessage, from: string): void
}

/** Streams by path. */
export type Streams = Readonly<Record<string, Stream>>

const streamOf = (streams: Streams, { url = '' }: IncomingMessage): Stream | undefined => {
  const path = url.split('?')[0]!
  return Object.hasOwn(streams, path) ? streams[path] : undefined
}

/** Whether a request asks for a stream. Some clients always send an upgrade to another protocol: they are answered as plain HTTP. */
export function isForStream(streams: Streams, incoming: IncomingMessage): boolean {
  splitTarget(incoming) // proxies may send an absolute URL
  const asks = incoming.method === 'GET' && incoming.headers.upgrade?.toLowerCase() === 'websocket' && namesHost(incoming)
  return asks && streamOf(streams, incoming) !== undefined
}

/** Serves streams on the server's port. None of them reads cookies, so every origin is allowed. */
export function serveStreams(
  server: Server,
  streams: Streams,
  clientOf: (incoming: IncomingMessage) => string,
  onBug: (error: unknown) => void,
): void {
  // One message per socket and turn of the event loop, so that a talkative client does not delay the others.
  const sockets = upgrader({ maxPayload: MESSAGE_BYTES, allowSynchronousEvents: false })
  const paced = upgrader({ maxPayload: BATCH_BODY_LIMIT + ENVELOPE_BYTES, allowSynchronousEvents: true })
  const limiter = new WorkLimiter()
  const open = new Map<string, number>()
  server.on('upgrade', (incoming: IncomingMessage, raw: Duplex, head: Buffer) => {
    raw.on('error', () => raw.destroy())
    const address = clientOf(incoming)
    const count = open.get(address) ?? 0
    if (count >= SOCKETS_PER_ADDRESS && !isLoopback(address)) return refuseRaw(raw, 'rate_limited', PATIENCE)
    open.set(address, count + 1)
    raw.once('close', () => {
      const left = open.get(address)! - 1
      if (left) open.set(address, left)
      else open.delete(address)
    })
    const stream = streamOf(streams, incoming)!
    const upgrading = stream.isPaced ? paced : sockets
    upgrading.handleUpgrade(incoming, raw, head, (ws) => {
      if (!stream.isPaced) ws.pace({ raw, address, limiter: isLoopback(address) ? null : limiter, onBug })
      stream.accept(ws, raw, incoming, address)
    })
  })
}

function upgrader(limits: { maxPayload: number; allowSynchronousEvents: boolean }) {
  const sockets = new WebSocketServer<typeof PacedSocket>({
    noServer: true,
    maxFragments: MESSAGE_FRAGMENTS,
    perMessageDeflate: false,
    WebSocket: PacedSocket,
    ...limits,
  })
  // A refused handshake is answered with JSON, too, and with the supported version of the protocol.
  sockets.on('wsClientError', (_, raw) => refuseRaw(raw, 'bad_request', { 'Sec-WebSocket-Version': '13' }))
  return sockets
}
