import { createServer, type RequestListener, type Server, type ServerOptions, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { answerUnreadable, withHost } from './unreadable.ts'

/** Milliseconds for the head of a request, for all of it, and for which an idle connection is kept. */
const TIMEOUTS = { headersTimeout: 10_000, requestTimeout: 15_000, connectionsCheckingInterval: 2000, keepAliveTimeout: 65_000 }
/** Milliseconds after which a client that reads nothing of its answer is disconnected. */
const STALLED = 15_000
/** Requests after which a kept connection is closed: it says so in its last answer. */
const REQUESTS_PER_SOCKET = 1000

/**
 * An HTTP server with time limits for slow clients: those that send their request byte by byte, do not read their answer, or never close
 * the connection. How long an answer takes to make is not limited. Malformed requests are refused as JSON.
 */
export function hardenedServer(listener: RequestListener, options: ServerOptions = {}, stalled = STALLED): Server {
  /** The last response of each connection. */
  const answers = new WeakMap<Socket, ServerResponse>()
  const listening: RequestListener = (incoming, outgoing) => {
    answers.set(incoming.socket, outgoing)
    listener(incoming, outgoing)
  }
  const hearing = withHost(listening)
  const server = createServer({ ...TIMEOUTS, requireHostHeader: false, ...options }, hearing)
  server.on('checkExpectation', hearing) // an Expect header is ignored; Node would answer 417 with an empty body
  server.timeout = stalled // one timer a connection: a timer for each answer would cost more than many an answer
  server.on('timeout', (socket: Socket) => {
    const isIdle = answers.get(socket)?.writableFinished ?? true
    if (isIdle || socket.writableLength > 0) socket.destroy()
  })
  server.maxRequestsPerSocket = REQUESTS_PER_SOCKET
  server.on('clientError', answerUnreadable)
  return server
}
