import { randomUUID } from 'node:crypto'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { BODY_LIMIT } from '@augury/wire/limits'
import type { Answer } from './answer.ts'
import { commonHeaders, headerOf, originHeaders, type Routes, respond } from './http.ts'

/**
 * Answers operations whose paths are whole texts straight from `node:http`, without what a router and web-standard requests and responses
 * cost; hands everything else on. Both ways answer by the same function. A body of unknown or too great a length is left to the other way,
 * which knows how to break off.
 */
export function directly(routes: Routes, otherwise: RequestListener): RequestListener {
  const common = originHeaders(routes)
  const known = new Map(
    Object.entries(routes.operations)
      .filter(([, { path }]) => !path.includes('{'))
      .map(([name, operation]) => [`${operation.method} ${operation.path}`, { name, operation }]),
  )
  return (incoming, outgoing) => {
    const target = incoming.url!
    const mark = target.indexOf('?')
    const route = known.get(`${incoming.method} ${mark === -1 ? target : target.slice(0, mark)}`)
    if (!route || !isWhole(incoming, route.operation.bodyLimit ?? BODY_LIMIT)) {
      otherwise(incoming, outgoing)
      return
    }
    const requestId = randomUUID()
    const { method } = route.operation
    const unread = { incoming, requestId, method, target, body: incoming, params: {}, header: headerOf(incoming) }
    void respond(unread, route.name, route.operation, routes).then((answer) => write(outgoing, common, requestId, answer))
  }
}

const isWhole = ({ headers }: IncomingMessage, limit: number): boolean =>
  headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) <= limit

/** Head and body leave in one write. What is made of ASCII alone is copied, not encoded. */
function write(outgoing: ServerResponse, common: Record<string, string>, requestId: string, { status, headers, body }: Answer): void {
  const length = Buffer.byteLength(body)
  outgoing.writeHead(status, { ...common, ...commonHeaders(requestId), ...headers, 'Content-Length': length })
  if (typeof body === 'string') outgoing.end(body, length === body.length ? 'latin1' : 'utf8')
  else outgoing.end(body)
}
