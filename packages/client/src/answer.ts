import { pickBudgetHeaders } from '@augury/wire/budget'
import type { Operation } from '@augury/wire/operation'
import type { RefusalCode } from '@augury/wire/refusals'

/** The service refused the request, which had no effect; only after `internal_error` and `outcome_unknown` that is not known. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError'
  readonly status: number
  readonly code: RefusalCode | undefined
  readonly details: unknown
  /** The whole body, for additional keys such as `orderID` or `not_canceled`. */
  readonly body: Readonly<Record<string, unknown>>
  /** Seconds to wait before a retry. */
  readonly retryAfter: number | undefined
  /** Rate-limit headers of the response; may be empty. */
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

/** No response arrived, or one that says `outcome_unknown`, so it is unknown whether the request took effect. Look it up by its id, or send the same bytes again. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError'
}

/** The response does not match the operation's schema, so it is not from this service. */
export class BadAnswerError extends Error {
  override readonly name = 'BadAnswerError'
}

/** The part of `fetch` that clients use. */
export type Fetch = (input: string, init: RequestInit) => Promise<Response>

/** Options of `fetchAnswer`. */
export interface FetchOptions {
  send?: Fetch | undefined
  /** Milliseconds to wait for the whole response. */
  timeoutMs?: number | undefined
  /** Gives up earlier. */
  signal?: AbortSignal | undefined
  refusalIn?: RefusalIn | undefined
}

type Json = Readonly<Record<string, unknown>>

/** Extracts the error body, and the seconds to wait, from a response that wraps them. */
export type RefusalIn = (answer: Json) => { body: Json; retryAfter: number | undefined }

/** Sends a request and reads the answer: its value, a `RefusedError`, or a `NoAnswerError` when none came in time. */
export async function fetchAnswer(
  url: string,
  init: RequestInit,
  { send = globalFetch, timeoutMs = 10_000, signal, refusalIn }: FetchOptions = {},
): Promise<unknown> {
  let response: Response
  let text: string
  const inTime = AbortSignal.timeout(timeoutMs)
  try {
    // Redirects are not followed: they would send the key's passphrase elsewhere, and turn a POST into a GET.
    response = await send(url, { ...init, redirect: 'manual', signal: signal ? AbortSignal.any([inTime, signal]) : inTime })
    text = await response.text()
  } catch (cause) {
    throw new NoAnswerError(`no answer from ${url}`, { cause })
  }
  const value = readJson(text)
  if (response.ok) return value === undefined ? text : value
  const { status, headers } = response
  const header = Number(headers.get('retry-after') ?? Number.NaN)
  const plain = { body: refusalOf(response, text, value), retryAfter: Number.isFinite(header) ? header : undefined }
  const { body, retryAfter = plain.retryAfter } = refusalIn?.(plain.body) ?? plain
  // The service gives every failure of its own a code. This is one of a proxy, which does not know whether the service ran the request.
  if (status >= 500 && body.code === undefined) throw new NoAnswerError(`no answer from ${url}: HTTP ${status}`)
  throw new RefusedError(status, body, retryAfter, pickBudgetHeaders(headers))
}

/** The error body of an unsuccessful response. */
function refusalOf({ status, statusText, type, headers }: Response, text: string, value: unknown): Json {
  const isMoved = type === 'opaqueredirect' || (status >= 300 && status < 400)
  if (isMoved) return { error: `the service is elsewhere: ${headers.get('location') ?? 'the address redirects'}` }
  if (typeof value === 'object' && value !== null) return value as Json
  const isPage = headers.get('content-type')?.startsWith('text/html')
  return { error: (isPage ? '' : text.slice(0, 200)) || statusText }
}

const globalFetch: Fetch = (input, init) => fetch(input, init)

/** The answer of an operation by its schema. Throws a `BadAnswerError` when it is something else. */
export function readAnswer(op: Operation, answer: unknown): unknown {
  const read = op.output.safeParse(answer)
  if (read.success) return read.data
  const { path, message } = read.error.issues[0]!
  const problem = path.length === 0 ? message : `${path.join('.')}: ${message}`
  throw new BadAnswerError(`unexpected answer of ${op.method} ${op.path}: ${problem}`)
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
