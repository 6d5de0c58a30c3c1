import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerOptions, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { answerUnreadable, withHost } from './unreadable.ts'

/** Timeouts in milliseconds: for the head of a request, for the whole request, and for idle connections. */
const TIMEOUTS = { headersTimeout: 10_000, requestTimeout: 15_000, connectionsCheckingInterval: 2000, keepAliveTimeout: 65_000 }
/** Milliseconds after which a client that reads none of its response is disconnected. */
const STALLED = 15_000
/** Requests after which a keep-alive connection is closed, as its last response announces. */
const REQUESTS_PER_SOCKET = 1000

/**
 * An HTTP server with timeouts for slow clients: those that send a request byte by byte, do not read the response, or never close the
 * connection. The time to produce a response is not limited. Malformed requests are refused as JSON.
 */
export function hardenedServer(listener: RequestListener, options: ServerOptions = {}, stalled = STALLED): Server {
  /** The last response of each connection. */
  const answers = new WeakMap<Socket, ServerResponse>()
  const listening: RequestListener = (incoming, outgoing) => {
    answers.set(incoming.socket, outgoing)
    listener(incoming, outgoing)
  }
  const onRequest = withHost(listening)
  const server = createServer({ ...TIMEOUTS, requireHostHeader: false, ...options }, onRequest)
  server.on('checkExpectation', onRequest) // an Expect header is ignored; Node would answer 417 with an empty body
  server.on('checkContinue', (incoming, outgoing) => {
    askForBody(incoming, outgoing)
    onRequest(incoming, outgoing)
  })
  server.timeout = stalled // one timer per connection is cheaper than one per response
  server.on('timeout', (socket: Socket) => {
    const isIdle = answers.get(socket)?.writableFinished ?? true
    if (isIdle || socket.writableLength > 0) socket.destroy()
  })
  server.maxRequestsPerSocket = REQUESTS_PER_SOCKET
  server.on('clientError', answerUnreadable)
  return server
}

/**
 * Tells a client that waits with its body to send it, as soon as a handler reads it. After an earlier answer it is unknown whether the body
 * comes yet, so its connection ends.
 */
function askForBody(incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { shouldKeepAlive } = outgoing
  outgoing.shouldKeepAlive = false
  incoming.once('resume', () => {
    if (outgoing.headersSent) return
    outgoing.shouldKeepAlive = shouldKeepAlive
    outgoing.writeContinue()
  })
}
