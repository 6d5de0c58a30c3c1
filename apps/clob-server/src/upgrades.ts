import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { namesHost, refuseRaw, splitTarget } from '@augury/rest/unreadable'
import { isLoopback } from '@augury/venue/access/loopback'
import { type WebSocket, WebSocketServer } from 'ws'
import { HeardSocket, Hearing } from './heard-socket.ts'

/** Sockets that one client address may hold open; loopback may hold any number, and say any amount. */
const SOCKETS_PER_ADDRESS = 100
/** Bytes of a message that a client may send. */
const MESSAGE_BYTES = 64 * 1024

/** What takes a socket whose upgrade is done. */
export interface Stream {
  accept(ws: WebSocket, raw: Duplex, incoming: IncomingMessage): void
}

/** Streams by their paths. */
export type Streams = Readonly<Record<string, Stream>>

const streamOf = (streams: Streams, { url = '' }: IncomingMessage): Stream | undefined => {
  const path = url.split('?')[0]!
  return Object.hasOwn(streams, path) ? streams[path] : undefined
}

/** Whether a request asks for a stream. What would rather speak another protocol, as some clients always would, is a request like any. */
export function isForStream(streams: Streams, incoming: IncomingMessage): boolean {
  splitTarget(incoming) // proxies may send the whole address
  const asks = incoming.method === 'GET' && incoming.headers.upgrade?.toLowerCase() === 'websocket' && namesHost(incoming)
  return asks && streamOf(streams, incoming) !== undefined
}

/** Serves streams on the same port. None of them reads a cookie, so no origin is refused. */
export function serveStreams(server: Server, streams: Streams, clientOf: (incoming: IncomingMessage) => string): void {
  // Of each socket one message is heard in a turn of the loop: what else the turn has to do waits for none that says much.
  const sockets = new WebSocketServer<typeof HeardSocket>({
    ...{ noServer: true, maxPayload: MESSAGE_BYTES, perMessageDeflate: false },
    ...{ WebSocket: HeardSocket, allowSynchronousEvents: false },
  })
  const hearing = new Hearing()
  const open = new Map<string, number>()
  // What is wrong with a handshake is said as JSON too, and which version of the protocol is spoken here.
  sockets.on('wsClientError', (_, raw) => refuseRaw(raw, 'bad_request', { 'Sec-WebSocket-Version': '13' }))

  server.on('upgrade', (incoming: IncomingMessage, raw: Duplex, head: Buffer) => {
    raw.on('error', () => raw.destroy())
    const address = clientOf(incoming)
    const count = open.get(address) ?? 0
    if (count >= SOCKETS_PER_ADDRESS && !isLoopback(address)) return refuseRaw(raw, 'rate_limited')
    open.set(address, count + 1)
    raw.once('close', () => {
      const left = open.get(address)! - 1
      if (left) open.set(address, left)
      else open.delete(address)
    })
    sockets.handleUpgrade(incoming, raw, head, (ws) => {
      ws.hearBy({ raw, address, hearing: isLoopback(address) ? null : hearing })
      streamOf(streams, incoming)!.accept(ws, raw, incoming)
    })
  })
}
