import { budgetTold } from '@augury/wire/budget'
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
  /** Headers of the budget that was counted against, where the answer told of one. */
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

/** No answer came, so nobody knows whether the request took effect. Look it up by its id, or send the same bytes again. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError'
}

/** The answer does not have the shape that this service gives: something else answered. */
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
  /** The error body inside of a refusal, where it is not the whole of it. */
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
    response = await send(url, { ...init, signal: AbortSignal.timeout(timeoutMs) })
    text = await response.text()
  } catch (cause) {
    throw new NoAnswerError(`no answer from ${url}`, { cause })
  }
  const value = readJson(text)
  if (response.ok) return value === undefined ? text : value
  const isObject = typeof value === 'object' && value !== null
  const answered = isObject ? (value as Record<string, unknown>) : { error: text.slice(0, 200) || response.statusText }
  const body = refusalIn?.(answered) ?? answered
  const { status } = response
  // A proxy answered, and does not know what the service did.
  if ((status === 502 || status === 504) && body.code === undefined) throw new NoAnswerError(`no answer from ${url}: HTTP ${status}`)
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN)
  throw new RefusedError(status, body, Number.isFinite(retryAfter) ? retryAfter : undefined, budgetTold(response.headers))
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
