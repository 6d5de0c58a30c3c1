import { createServer, type RequestListener, type Server, type ServerOptions, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { answerUnreadable, withHost } from './unreadable.ts'

/** Milliseconds that a client has for the head of a request and for all of it, and that a connection is kept for the next one. */
const PATIENCE = { headersTimeout: 10_000, requestTimeout: 15_000, connectionsCheckingInterval: 2000, keepAliveTimeout: 65_000 }
/** Milliseconds for which nothing of what is on its way to a client may be taken. */
const STALLED = 15_000
/** Requests after which a kept connection is closed: it says so in its last answer. */
const REQUESTS_PER_SOCKET = 1000

/**
 * A server whose patience with clients ends: with those that send byte by byte or nothing, that take nothing of their answer, that never
 * hang up. An answer that takes long to make is waited for. What is no request is refused as JSON.
 */
export function patientServer(listener: RequestListener, options: ServerOptions = {}, stalled = STALLED): Server {
  /** The last answer of each connection. */
  const answers = new WeakMap<Socket, ServerResponse>()
  const listening: RequestListener = (incoming, outgoing) => {
    answers.set(incoming.socket, outgoing)
    listener(incoming, outgoing)
  }
  const hearing = withHost(listening)
  const server = createServer({ ...PATIENCE, requireHostHeader: false, ...options }, hearing)
  server.on('checkExpectation', hearing) // what else a client expects does not matter; Node would answer 417 with nothing
  server.timeout = stalled // one clock of a connection for all its answers: one for each would cost more than many an answer
  server.on('timeout', (socket: Socket) => {
    const isIdle = answers.get(socket)?.writableFinished ?? true
    if (isIdle || socket.writableLength > 0) socket.destroy()
  })
  server.maxRequestsPerSocket = REQUESTS_PER_SOCKET
  server.on('clientError', answerUnreadable)
  return server
}
