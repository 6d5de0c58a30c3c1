import type { RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { type RefusalCode, refusals } from '@augury/wire/refusals'

/** Listener of a server's `clientError`: says as JSON also what Node refuses before there is a request. */
export function answerUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const code = error.code === 'HPE_HEADER_OVERFLOW' ? 'headers_too_large' : 'bad_request'
  refuseRaw(socket, code)
}

/** A refusal on a connection that has no response, which then ends. */
export function refuseRaw(socket: Duplex, code: RefusalCode): void {
  const { status, text } = refusals[code]
  const body = JSON.stringify({ error: text, code })
  const head = `HTTP/1.1 ${status} ${text}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}`
  socket.end(`${head}\r\nConnection: close\r\n\r\n${body}`)
}

/** Refuses as JSON what names no host, which Node would refuse with nothing: its server must have `requireHostHeader` off. */
export const withHost =
  (listener: RequestListener): RequestListener =>
  (incoming, outgoing) => {
    if (incoming.headers.host === undefined) refuseRaw(incoming.socket, 'bad_request')
    else listener(incoming, outgoing)
  }
