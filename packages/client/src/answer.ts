import { pickBudgetHeaders } from '@augury/wire/budget'
import type { Operation } from '@augury/wire/operation'
import type { RefusalCode } from '@augury/wire/refusals'

/** The service refused the request. Nothing of it took effect. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError'
  readonly status: number
  readonly code: RefusalCode | undefined
  readonly details: unknown
  /** The whole answer, for extras such as `orderID` or `not_canceled`. */
  readonly body: Readonly<Record<string, unknown>>
  /** Seconds until a retry makes sense. */
  readonly retryAfter: number | undefined
  /** Rate-limit headers of the answer; empty when it had none. */
  readonly budget: Readonly<Record<string, string>>

  constructor(
    status: number,
    body: Readonly<Record<string, unknown>>,
    retryAfter: number | undefined,
    budget: Readonly<Record<string, string>> = {},
  ) {
    super(typeof body.error === 'string' ? body.error : `HTTP ${status}`)
    this.status = status
    this.code = body.code as RefusalCode | undefined
    this.details = body.details
    this.body = body
    this.retryAfter = retryAfter
    this.budget = budget
  }
}

/** No answer came, so it is unknown whether the request took effect. Look it up by its id, or send the same bytes again. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError'
}

/** The answer does not match the operation's schema: something other than this service answered. */
export class BadAnswerError extends Error {
  override readonly name = 'BadAnswerError'
}

/** What a client needs of `fetch`. */
export type Fetch = (input: string, init: RequestInit) => Promise<Response>

/** How a request is sent and its answer read. */
export interface FetchOptions {
  send?: Fetch | undefined
  /** Milliseconds to wait for the whole answer. */
  timeoutMs?: number | undefined
  /** Extracts the error body from an answer that wraps it. */
  refusalIn?: ((answer: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>) | undefined
}

/** Sends a request and reads the answer: its value, a `RefusedError`, or a `NoAnswerError` when none came in time. */
export async function fetchAnswer(
  url: string,
  init: RequestInit,
  { send = globalFetch, timeoutMs = 10_000, refusalIn }: FetchOptions = {},
): Promise<unknown> {
  let response: Response
  let text: string
  try {
    // A redirect is not followed: it would hand the key's passphrase to whoever it names, and turn a POST into a GET.
    response = await send(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) })
    text = await response.text()
  } catch (cause) {
    throw new NoAnswerError(`no answer from ${url}`, { cause })
  }
  const value = readJson(text)
  if (response.ok) return value === undefined ? text : value
  const { status } = response
  const body = refusalIn?.(refusalOf(response, text, value)) ?? refusalOf(response, text, value)
  // The service gives every failure of its own a code. This is one of a proxy, which does not know whether the service ran the request.
  if (status >= 500 && body.code === undefined) throw new NoAnswerError(`no answer from ${url}: HTTP ${status}`)
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN)
  throw new RefusedError(status, body, Number.isFinite(retryAfter) ? retryAfter : undefined, pickBudgetHeaders(response.headers))
}

/** What an answer that is no success says. */
function refusalOf({ status, statusText, type, headers }: Response, text: string, value: unknown): Readonly<Record<string, unknown>> {
  const isMoved = type === 'opaqueredirect' || (status >= 300 && status < 400)
  if (isMoved) return { error: `the service is elsewhere: ${headers.get('location') ?? 'the address redirects'}` }
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : { error: text.slice(0, 200) || statusText }
}

const globalFetch: Fetch = (input, init) => fetch(input, init)

/** The answer of an operation by its schema. Throws a `BadAnswerError` when it is something else. */
export function readAnswer(op: Operation, answer: unknown): unknown {
  const read = op.output.safeParse(answer)
  if (!read.success) throw new BadAnswerError(`unexpected answer of ${op.method} ${op.path}: ${read.error.message}`)
  return read.data
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
