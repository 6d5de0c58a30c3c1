import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Operation } from '@augury/wire/operation'
import { ServiceError } from '@augury/wire/service-error'
import { type Context, Hono } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { type Answer, refusal } from './answer.ts'
import { readBody } from './body.ts'

/** What the HTTP server hands to Hono; absent when a test calls the app without a socket. */
export interface Bindings {
  incoming?: IncomingMessage
  /** Who is behind the request, where it did not come over a socket of ours. */
  clientAddress?: string
}
export type HttpContext = Context<{ Bindings: Bindings; Variables: { requestId: string } }>
export type HttpApp = Hono<{ Bindings: Bindings; Variables: { requestId: string } }>

/** A request of a known route, its body read. */
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

/** Thrown to say nothing: the connection is closed instead, because no answer would be true. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
}

/** Answers a call of one operation. Throws `ServiceError`, `NoAnswer`, or what is a bug. */
export type Answerer = (name: string, operation: Operation, call: RouteCall) => Answer | Promise<Answer>

/** Hears of every failure that nobody expected. */
export type OnBug = (error: unknown, facts: { requestId: string; operation: string | null }) => void

/** Texts that a parameter in a path may be made of. */
const ENCODED = /^(?:[A-Za-z0-9_.~:@-]|%[0-9A-Fa-f]{2})*$/
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
  'Poly-RateLimit-Warning',
]
const CORS = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': EXPOSED.join(', ') }
const preflight = (names: readonly string[]) => ({
  'Access-Control-Allow-Methods': 'GET, POST, PUT, PATCH, DELETE',
  'Access-Control-Allow-Headers': ['content-type', 'accept', 'idempotency-key', ...names].join(', '),
  'Access-Control-Max-Age': '86400',
})
const ALWAYS = { 'Content-Type': 'application/json; charset=utf-8', 'X-Content-Type-Options': 'nosniff' }

/** Hears of every answer of an operation: its status, why it was refused, and how long it took in milliseconds. */
export type OnAnswer = (operation: string, answer: { status: number; code: string | null; milliseconds: number }) => void

/** What routes are made from. */
export interface Routes {
  operations: Readonly<Record<string, Operation>>
  answer: Answerer
  /** The answer to whoever is turned away unheard, asked before the body is read; null lets in. */
  turnAway?: (name: string) => Answer | null
  onBug: OnBug
  onAnswer?: OnAnswer | undefined
  /** Headers beyond the common ones that pages of other sites may send; null when such pages may not read the answers at all. */
  allowedHeaders: readonly string[] | null
  /** Keys that refusals of a path have besides their own. */
  refusalExtras?: (path: string) => Readonly<Record<string, unknown>>
}

/** Routes for a table of operations. Every answer is JSON, also where there is no route. */
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
  const methods = new Map<string, Set<string>>()
  for (const [name, operation] of Object.entries(operations)) {
    const path = operation.path.replace(/\{(\w+)\}/g, ':$1')
    const allowed = methods.get(path) ?? new Set()
    for (const method of operation.method === 'GET' ? ['GET', 'HEAD'] : [operation.method]) allowed.add(method)
    methods.set(path, allowed)
    app.on(operation.method, path, async (context) => {
      const { incoming, clientAddress } = context.env ?? {}
      const header = incoming ? headerOf(incoming) : (key: string) => context.req.raw.headers.get(key) ?? undefined
      const unread: UnreadCall = {
        ...{ incoming, clientAddress, header, requestId: context.get('requestId'), method: context.req.method },
        target: (incoming?.url ?? context.req.url).replace(/^https?:\/\/[^/]+/i, ''), // proxies may name the whole address
        body: incoming ?? context.req.raw.body,
        params: context.req.param(),
      }
      return send(context, await respond(unread, name, operation, routes))
    })
  }
  if (allowedHeaders) app.options('*', (context) => context.body(null, 204, preflight(allowedHeaders)))
  for (const [path, allowed] of methods) {
    app.all(path, (context) => send(context, refusal(new ServiceError('method_not_allowed'), { Allow: [...allowed].join(', ') })))
  }
  app.notFound((context) => send(context, refusal(new ServiceError('not_found'), {})))
  app.onError((error, context) => send(context, failed(error, context.get('requestId'), null, onBug)))
  return app
}

/** A request of a known route as it came. */
export interface UnreadCall extends Bindings {
  requestId: string
  method: string
  /** Path and query, as sent. */
  target: string
  body: IncomingMessage | ReadableStream<Uint8Array> | null
  params: Record<string, string>
  header(name: string): string | undefined
}

/** Answers a request of an operation, whatever becomes of it. A connection whose request has no true answer is closed. */
async function respond(unread: UnreadCall, name: string, operation: Operation, routes: Routes): Promise<Answer> {
  const { target, body: source, ...facts } = unread
  const began = performance.now()
  const mark = target.indexOf('?')
  const path = mark === -1 ? target : target.slice(0, mark)
  try {
    if (!isOurs(path, operation)) throw new ServiceError('not_found')
    const query = mark === -1 ? '' : target.slice(mark + 1)
    const body = await readBody(source, operation.bodyLimit).catch((error) => {
      throw orBrokenOff(error)
    })
    return respondRead({ ...facts, path, query, body }, name, operation, routes, began)
  } catch (error) {
    return told(whenFailed(error, facts, name, operation, routes), name, routes, began)
  }
}

/** Who goes away in the middle of a request hears nothing, and nobody has to look after it. */
export const orBrokenOff = (error: unknown): Error =>
  error instanceof ServiceError ? error : new NoAnswer('the request broke off', { cause: error })

/** The same for a request whose path is the operation's own and whose body was read; at once where nothing has to be waited for. */
export function respondRead(call: RouteCall, name: string, operation: Operation, routes: Routes, began: number): Answer | Promise<Answer> {
  const failure = (error: unknown) => told(whenFailed(error, call, name, operation, routes), name, routes, began)
  try {
    const answered = routes.answer(name, operation, call)
    return answered instanceof Promise
      ? answered.then((answer) => told(answer, name, routes, began), failure)
      : told(answered, name, routes, began)
  } catch (error) {
    return failure(error)
  }
}

/** An answer on its way, which whoever counts them hears of. */
export function told(answer: Answer, name: string, { onAnswer }: Routes, began: number): Answer {
  onAnswer?.(name, { status: answer.status, code: answer.code ?? null, milliseconds: performance.now() - began })
  return answer
}

/** What is answered where there is no answer of the operation. */
export function whenFailed(
  error: unknown,
  { incoming, requestId }: Pick<RouteCall, 'incoming' | 'requestId'>,
  name: string,
  operation: Operation,
  { onBug }: Routes,
): Answer {
  if (error instanceof NoAnswer) incoming?.socket.destroy()
  const bugCode = operation.refusals.includes('cancel_failed') ? 'cancel_failed' : null
  return failed(error, requestId, bugCode, onBug, name)
}

/**
 * Whether a path is the operation's as it was sent, not only as somebody may read it: what was signed and what is run must be the same.
 * Only a parameter may be written with percent signs; what is not written as UTF-8, holds a slash or a NUL names nothing.
 */
function isOurs(path: string, operation: Operation): boolean {
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

function failed(error: unknown, requestId: string, bugCode: 'cancel_failed' | null, onBug: OnBug, operation: string | null = null): Answer {
  // What is left of too long a body is not read: nothing could come behind it.
  if (error instanceof ServiceError) return refusal(error, error.status === 413 ? { Connection: 'close' } : {})
  if (!(error instanceof NoAnswer)) onBug(error, { requestId, operation })
  return refusal(new ServiceError(bugCode ?? 'internal_error'), {})
}

/** Headers of every answer. */
export const commonHeaders = (requestId: string): Record<string, string> => ({
  ...ALWAYS,
  'X-Request-Id': requestId,
  'Cache-Control': 'no-store',
})

/** Headers that let pages of other sites read the answers, where they may. */
export const originHeaders = ({ allowedHeaders }: Routes): Record<string, string> => (allowedHeaders ? CORS : {})
