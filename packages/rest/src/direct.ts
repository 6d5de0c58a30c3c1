import { randomUUID } from 'node:crypto'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { BODY_LIMIT } from '@augury/wire/limits'
import type { Operation } from '@augury/wire/operation'
import type { Answer } from './answer.ts'
import { whenRead } from './body.ts'
import { commonHeaders, headerOf, orBrokenOff, originHeaders, type Routes, respondRead, told, whenFailed } from './http.ts'

/**
 * Answers operations whose paths are whole texts straight from `node:http`, without what a router and web-standard requests and responses
 * cost; hands everything else on. Both ways answer by the same function. A body of unknown or too great a length is left to the other way,
 * which knows how to break off.
 */
export function directly(routes: Routes, otherwise: RequestListener): RequestListener {
  const common = Object.entries(originHeaders(routes)).flat()
  const known = new Map<string, Map<string, { name: string; operation: Operation }>>()
  for (const [name, operation] of Object.entries(routes.operations)) {
    if (operation.path.includes('{')) continue
    known.set(operation.path, (known.get(operation.path) ?? new Map()).set(operation.method, { name, operation }))
  }
  return (incoming, outgoing) => {
    const target = incoming.url!
    const mark = target.indexOf('?')
    const path = mark === -1 ? target : target.slice(0, mark)
    const route = known.get(path)?.get(incoming.method!)
    const limit = route?.operation.bodyLimit ?? BODY_LIMIT
    if (!route || !isWhole(incoming, limit)) {
      otherwise(incoming, outgoing)
      return
    }
    const began = performance.now()
    const requestId = randomUUID()
    const { name, operation } = route
    const tell = (answer: Answer) => write(outgoing, common, requestId, answer)
    const away = routes.turnAway?.(name)
    if (away) {
      tell(told(away, name, routes, began))
      return
    }
    const facts = { incoming, requestId, method: operation.method, path, query: mark === -1 ? '' : target.slice(mark + 1) }
    const hear = (body: Uint8Array) => {
      const call = { ...facts, body, params: NONE, header: headerOf(incoming) }
      const answer = respondRead(call, name, operation, routes, began)
      if (answer instanceof Promise) void answer.then(tell)
      else tell(answer)
    }
    whenRead(incoming, limit, hear, (error) => tell(whenFailed(orBrokenOff(error), facts, name, operation, routes)))
  }
}

const NONE = Object.freeze({})

const isWhole = ({ headers }: IncomingMessage, limit: number): boolean =>
  headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) <= limit

/** Head and body leave in one write. What is made of ASCII alone is copied, not encoded. */
function write(outgoing: ServerResponse, common: readonly string[], requestId: string, { status, headers, body, left }: Answer): void {
  const length = Buffer.byteLength(body)
  const head: (string | string[])[] = [...common]
  const usual = commonHeaders(requestId)
  for (const name in usual) if (headers[name] === undefined) head.push(name, usual[name]!)
  for (const name in headers) head.push(name, headers[name]!)
  head.push('Content-Length', String(length))
  outgoing.writeHead(status, head as string[])
  if (typeof body === 'string') outgoing.end(body, length === body.length ? 'latin1' : 'utf8')
  else outgoing.end(body, left)
}
