import { randomUUID } from 'node:crypto'
import { IncomingMessage } from 'node:http'
import { BODY_LIMIT } from '@augury/wire/limits'
import type { Operation } from '@augury/wire/operation'
import { refusals } from '@augury/wire/refusals'
import { ServiceError } from '@augury/wire/service-error'
import { type Context, Hono } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { type Answer, refusal } from './answer.ts'
import { onBody, readBody } from './body.ts'

/** Bindings that the HTTP server passes to Hono; absent when a test calls the app without a socket. */
export interface Bindings {
  incoming?: IncomingMessage
  /** Address of the client, if the request did not arrive on a socket of this server. */
  clientAddress?: string
}
export type HttpContext = Context<{ Bindings: Bindings; Variables: { requestId: string } }>
export type HttpApp = Hono<{ Bindings: Bindings; Variables: { requestId: string } }>

/** A request to a known route, with its body read. */
export interface RouteCall extends Bindings {
  requestId: string
  method: string
  /** As sent, without the query. */
  path: string
  query: string
  body: Uint8Array
  params: Record<string, string>
  header(name: string): string | undefined
}

/** Thrown when the client disconnected: the connection is closed without a response. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
}

/** Serves a call of an operation. Throws `ServiceError` or `NoAnswer`; anything else is a bug and becomes a 500. */
export type Answerer = (name: string, operation: Operation, call: RouteCall) => Answer | Promise<Answer>

/** Called with every error that is a bug. */
export type OnBug = (error: unknown, facts: { requestId: string; operation: string | null }) => void

/** A path parameter as sent: what URLs allow in a segment. Clients encode some of these characters, or none. */
const ENCODED = /^(?:[\w.~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})*$/
const EXPOSED = [
  'X-Request-Id',
  'X-Book-Seq',
  'X-Seq',
  'Retry-After',
  'RateLimit',
  'RateLimit-Policy',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Idempotent-Replayed',
  'Poly-RateLimit-Remaining',
  'Poly-RateLimit-Reset',
  'Poly-RateLimit-Tier',
]
const CORS = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': EXPOSED.join(', ') }
const preflight = (names: readonly string[]) => ({
  'Access-Control-Allow-Methods': 'GET, POST, PUT, PATCH, DELETE',
  'Access-Control-Allow-Headers': ['content-type', 'accept', 'idempotency-key', ...names].join(', '),
  'Access-Control-Max-Age': '86400',
})
const ALWAYS = { 'Content-Type': 'application/json; charset=utf-8', 'X-Content-Type-Options': 'nosniff' }

/** Called with every response of an operation: status, refusal code, and duration in milliseconds. */
export type OnAnswer = (operation: string, answer: { status: number; code: string | null; milliseconds: number }) => void

/** Input of `httpApp`. */
export interface Routes {
  operations: Readonly<Record<string, Operation>>
  answer: Answerer
  /** Load shedding: the response to a request that is refused before its body is read, or null to serve it. */
  turnAway?: (name: string, header: RouteCall['header']) => Answer | null
  onBug: OnBug
  onAnswer?: OnAnswer | undefined
  /** CORS: request headers allowed besides the common ones; null if other origins may not read responses at all. */
  allowedHeaders: readonly string[] | null
  /** Additional keys in the refusals of a path. */
  refusalExtras?: (path: string) => Readonly<Record<string, unknown>>
}

/** Makes routes for a table of operations. Every response is JSON, also for unknown routes. */
export function httpApp(routes: Routes): HttpApp {
  const { operations, onBug, allowedHeaders, refusalExtras } = routes
  const app: HttpApp = new Hono()
  function send(context: HttpContext, { status, headers, body, code }: Answer): Response {
    const extras = code === undefined ? {} : (refusalExtras?.(context.req.path) ?? {})
    const text = Object.keys(extras).length === 0 ? body : JSON.stringify({ ...extras, ...JSON.parse(body.toString()) })
    return context.body(text, status as ContentfulStatusCode, { ...commonHeaders(context.get('requestId')), ...headers })
  }
  app.use(async (context, next) => {
    context.set('requestId', randomUUID())
    for (const [name, value] of Object.entries(originHeaders(routes))) context.header(name, value)
    await next()
  })
  if (allowedHeaders) app.options('*', (context) => context.body(null, 204, preflight(allowedHeaders)))
  for (const [path, served] of byPath(operations)) {
    for (const [name, operation] of served) {
      app.on(operation.method, path, async (context) => {
        const { incoming, clientAddress } = context.env ?? {}
        const header = incoming ? headerOf(incoming) : (key: string) => context.req.raw.headers.get(key) ?? undefined
        const unread: UnreadCall = {
          incoming,
          clientAddress,
          header,
          requestId: context.get('requestId'),
          method: context.req.method,
          target: (incoming?.url ?? context.req.url).replace(/^https?:\/\/[^/]+/i, ''), // proxies may send an absolute URL
          body: incoming ?? context.req.raw.body,
          params: context.req.param(),
        }
        return send(context, await respond(unread, name, operation, routes))
      })
    }
    const Allow = served.map(([, { method }]) => (method === 'GET' ? 'GET, HEAD' : method)).join(', ')
    app.all(path, (context) => send(context, refusal(new ServiceError('method_not_allowed'), { Allow })))
  }
  app.notFound((context) => send(context, refusal(new ServiceError('not_found'), {})))
  app.onError((error, context) => send(context, failed(error, context.get('requestId'), null, onBug)))
  return app
}

/** Operations by path, as the router writes it: fixed ones first, with all of their methods, as `/x/current` is no `/x/{id}`. */
function byPath(operations: Routes['operations']): [path: string, served: [name: string, Operation][]][] {
  const paths = Map.groupBy(Object.entries(operations), ([, { path }]) => path.replace(/\{(\w+)\}/g, ':$1'))
  return [...paths].sort(([one], [other]) => Number(one.includes(':')) - Number(other.includes(':')))
}

/** A request to a known route, whose body is not read yet. */
export interface UnreadCall extends Bindings {
  requestId: string
  method: string
  /** Path and query, as sent. */
  target: string
  body: IncomingMessage | ReadableStream<Uint8Array> | null
  params: Record<string, string>
  header(name: string): string | undefined
}

/** Serves a request of an operation. Never rejects. */
async function respond(unread: UnreadCall, name: string, operation: Operation, routes: Routes): Promise<Answer> {
  const { target, body: source, ...facts } = unread
  const began = performance.now()
  const mark = target.indexOf('?')
  const path = mark === -1 ? target : target.slice(0, mark)
  try {
    if (!isExactPath(path, operation)) throw new ServiceError('not_found')
    const query = mark === -1 ? '' : target.slice(mark + 1)
    const limit = operation.bodyLimit ?? BODY_LIMIT
    return await new Promise<Answer>((resolve, reject) => {
      const onRead = (body: Uint8Array) => resolve(respondRead({ ...facts, path, query, body }, name, operation, routes, began))
      const onError = (error: unknown) => reject(bodyFailure(error))
      // By callbacks: a request that follows in the same packet must not overtake it.
      if (source instanceof IncomingMessage) onBody(source, limit, onRead, onError)
      else readBody(source, limit).then(onRead, onError)
    })
  } catch (error) {
    return report(failureAnswer(error, facts, name, operation, routes), name, routes, began)
  }
}

/** Maps an error of reading a body: a refusal, or `NoAnswer` if the client disconnected, which is not a bug. */
export const bodyFailure = (error: unknown): ServiceError | NoAnswer =>
  error instanceof ServiceError ? error : new NoAnswer('the request broke off', { cause: error })

/** Serves a request whose body has been read. Synchronous if the operation is. Never rejects. */
export function respondRead(call: RouteCall, name: string, operation: Operation, routes: Routes, began: number): Answer | Promise<Answer> {
  const failure = (error: unknown) => report(failureAnswer(error, call, name, operation, routes), name, routes, began)
  try {
    const result = routes.answer(name, operation, call)
    return result instanceof Promise
      ? result.then((answer) => report(answer, name, routes, began), failure)
      : report(result, name, routes, began)
  } catch (error) {
    return failure(error)
  }
}

/** Reports a response to `onAnswer` and returns it. */
export function report(answer: Answer, name: string, { onAnswer }: Pick<Routes, 'onAnswer'>, began: number): Answer {
  onAnswer?.(name, { status: answer.status, code: answer.code ?? null, milliseconds: performance.now() - began })
  return answer
}

/** The response to a request whose operation threw. */
export function failureAnswer(
  error: unknown,
  { incoming, requestId }: Pick<RouteCall, 'incoming' | 'requestId'>,
  name: string,
  operation: Operation,
  { onBug }: Pick<Routes, 'onBug'>,
): Answer {
  if (error instanceof NoAnswer) incoming?.socket.destroy()
  // The law's text for every failure of such a route; what became of the order is not known.
  const text = operation.refusals.includes('cancel_failed') ? refusals.cancel_failed.text : null
  return failed(error, requestId, text, onBug, name)
}

/**
 * Whether a path as sent, not only as decoded, is the operation's, so that the signed path is the one that is served.
 * Only parameters may be percent-encoded; one that is not UTF-8 or contains a slash or a NUL does not match.
 */
function isExactPath(path: string, operation: Operation): boolean {
  if (path === operation.path) return true
  const segments = path.split('/')
  const ours = operation.path.split('/')
  return (
    segments.length === ours.length && segments.every((one, index) => (ours[index]!.startsWith('{') ? isText(one) : one === ours[index]))
  )
}

function isText(segment: string): boolean {
  try {
    const text = decodeURIComponent(segment)
    return ENCODED.test(segment) && !text.includes('/') && !text.includes('\0')
  } catch {
    return false
  }
}

/** Reads a header of a request by its lower-case name. */
export const headerOf =
  ({ headers }: IncomingMessage) =>
  (name: string): string | undefined => {
    const value = headers[name]
    return Array.isArray(value) ? value.join(', ') : value
  }

function failed(error: unknown, requestId: string, text: string | null, onBug: OnBug, operation: string | null = null): Answer {
  // The rest of a too long body is not read, so the connection cannot be reused.
  if (error instanceof ServiceError) return refusal(error, error.status === 413 ? { Connection: 'close' } : {})
  if (!(error instanceof NoAnswer)) onBug(error, { requestId, operation })
  return refusal(new ServiceError('internal_error', text === null ? {} : { text }), {})
}

/** Headers of every response. */
export const commonHeaders = (requestId: string): Record<string, string> => ({
  ...ALWAYS,
  'X-Request-Id': requestId,
  'Cache-Control': 'no-store',
})

/** CORS headers of every response, if other origins may read it. */
export const originHeaders = ({ allowedHeaders }: Routes): Record<string, string> => (allowedHeaders ? CORS : {})
