import { randomUUID } from 'node:crypto'
import type { IncomingMessage, RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { type RefusalCode, refusals } from '@augury/wire/refusals'

/** Milliseconds for a client to read its refusal and hang up before the connection is destroyed. */
const LINGER = 1000

/** Listener for `clientError`: refuses as JSON what Node cannot parse as a request. */
export function answerUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const code = error.code === 'HPE_HEADER_OVERFLOW' ? 'headers_too_large' : 'bad_request'
  refuseRaw(socket, code)
}

/** A refusal before routing: no operation is known. */
function uniformRefusal(code: RefusalCode) {
  const { status, text } = refusals[code]
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': randomUUID(),
    'Cache-Control': 'no-store',
  }
  return { status, text, headers, body: JSON.stringify({ error: text, code }) }
}

/** Writes a refusal to a connection that has no response object, and ends it. */
export function refuseRaw(socket: Duplex, code: RefusalCode, more: Readonly<Record<string, string>> = {}): void {
  const { status, text, headers, body } = uniformRefusal(code)
  const all = { ...headers, 'Content-Length': String(Buffer.byteLength(body)), Connection: 'close', ...more }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  linger(socket.end([`HTTP/1.1 ${status} ${text}`, ...lines, '', body].join('\r\n')))
}

/**
 * Reads no further request from a connection, and ends it after its response. What the client still sends is thrown away: bytes that nothing
 * takes make the kernel reset a connection, and the response with it.
 */
export function hearNoMore(socket: Socket): void {
  socket.destroySoon = () => linger(socket.end())
  process.nextTick(() => socket.removeAllListeners('data').on('data', () => {})) // not while Node is in the middle of parsing
}

/** Destroys an ended connection once its client has had time to read. */
const linger = (socket: Duplex) => setTimeout(() => socket.destroy(), LINGER).unref()

/** The refusal of a request whose host and target do not form a valid URL. */
export function refuseUnaddressed(): Response {
  const { status, headers, body } = uniformRefusal('bad_request')
  return new Response(body, { status, headers })
}

/** An absolute-form request target, as proxies may send it: host, then path. */
const WHOLE = /^https?:\/\/([^/?#]+)(.*)$/i

/** Splits an absolute-form target into the Host header and the path. The host of the target wins. */
export function splitTarget(incoming: IncomingMessage): void {
  const whole = incoming.url!.startsWith('/') ? null : WHOLE.exec(incoming.url!)
  if (!whole) return
  const [, host, target = ''] = whole
  incoming.headers.host = host
  incoming.url = target.startsWith('/') ? target : `/${target}`
}

/** Characters that no host has. With them, the Host header could inject a path, a query or credentials into the URL. */
const BEYOND_HOST = /[/?#@\\\s]/

/** Whether a request has exactly one valid host: of two, a proxy may have used the other. HTTP/1.0 needs none. */
export function namesHost({ headers, rawHeaders, httpVersion }: IncomingMessage): boolean {
  if (headers.host === undefined) return httpVersion === '1.0'
  if (BEYOND_HOST.test(headers.host)) return false
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]!.length === 4 && rawHeaders[at]!.toLowerCase() === 'host') hosts += 1
  return hosts < 2
}

/**
 * Refuses requests without exactly one host, as JSON; Node would refuse them with an empty body, or accept them. The server must have
 * `requireHostHeader` off. HTTP/1.0 is allowed, as some load balancers use it for health checks.
 */
export const withHost =
  (listener: RequestListener): RequestListener =>
  (incoming, outgoing) => {
    splitTarget(incoming)
    if (namesHost(incoming)) listener(incoming, outgoing)
    else refuseRaw(incoming.socket, 'bad_request')
  }
