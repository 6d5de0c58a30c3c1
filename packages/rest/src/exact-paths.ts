import { randomUUID } from 'node:crypto'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { BODY_LIMIT } from '@augury/wire/limits'
import type { Operation } from '@augury/wire/operation'
import type { Answer } from './answer.ts'
import { endChunks, onBody } from './body.ts'
import { atEndOfTurn } from './end-of-turn.ts'
import { bodyFailure, commonHeaders, failureAnswer, headerOf, originHeaders, type Routes, report, respondRead } from './http.ts'

/**
 * The fast path: serves operations without path parameters directly from `node:http`, without a router and web-standard requests. Everything
 * else, including bodies of unknown or excessive length, goes to `otherwise`. Both end in `respondRead`.
 */
export function exactPaths(routes: Routes, otherwise: RequestListener): RequestListener {
  const common = Object.entries(originHeaders(routes)).flat()
  const known = new Map<string, Map<string, { name: string; operation: Operation }>>()
  for (const [name, operation] of Object.entries(routes.operations)) {
    if (operation.path.includes('{')) continue
    known.set(operation.path, (known.get(operation.path) ?? new Map()).set(operation.method, { name, operation }))
  }
  return (incoming, outgoing) => {
    endChunks(incoming.socket)
    const target = incoming.url!
    const mark = target.indexOf('?')
    const path = mark === -1 ? target : target.slice(0, mark)
    const route = known.get(path)?.get(incoming.method!)
    const limit = route?.operation.bodyLimit ?? BODY_LIMIT
    if (!route || !hasKnownLength(incoming, limit)) {
      otherwise(incoming, outgoing)
      return
    }
    const began = performance.now()
    const requestId = randomUUID()
    const { name, operation } = route
    const send = (answer: Answer) => write(outgoing, common, requestId, answer)
    const header = headerOf(incoming)
    const refused = routes.turnAway?.(name, header)
    if (refused) {
      send(report(refused, name, routes, began))
      return
    }
    const facts = { incoming, requestId, method: operation.method, path, query: mark === -1 ? '' : target.slice(mark + 1) }
    const onRead = (body: Uint8Array) => {
      const call = { ...facts, body, params: NONE, header }
      const answer = respondRead(call, name, operation, routes, began)
      if (answer instanceof Promise) void answer.then(send)
      else atEndOfTurn(() => send(answer))
    }
    onBody(incoming, limit, onRead, (error) => send(failureAnswer(bodyFailure(error), facts, name, operation, routes)))
  }
}

const NONE = Object.freeze({})

/** Whether the request has a `Content-Length` within the limit. */
const hasKnownLength = ({ headers }: IncomingMessage, limit: number): boolean =>
  headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) <= limit

/** Writes head and body at once. ASCII text is written as latin1, which needs no encoding. */
function write(outgoing: ServerResponse, common: readonly string[], requestId: string, { status, headers, body, onSent }: Answer): void {
  const length = Buffer.byteLength(body)
  const head: (string | string[])[] = [...common]
  const usual = commonHeaders(requestId)
  for (const name in usual) if (headers[name] === undefined) head.push(name, usual[name]!)
  for (const name in headers) head.push(name, headers[name]!)
  head.push('Content-Length', String(length))
  outgoing.writeHead(status, head as string[])
  if (typeof body === 'string') outgoing.end(body, length === body.length ? 'latin1' : 'utf8')
  else outgoing.end(body, onSent)
}
