import { type RefusalCode, refusals, refusalText } from './refusals.ts'

/** Optional parts of a refusal. */
export interface Refused {
  /** Values for the detailed text. */
  values?: Readonly<Record<string, string | number>>
  /** Replaces the text from the list of refusals. */
  text?: string
  /** Structured information for programs, under `details`. */
  details?: unknown
  /** Further keys of the body, such as `canceled` and `not_canceled`. */
  extras?: Readonly<Record<string, unknown>>
  /** Seconds to wait before a retry, for the header `Retry-After`. */
  retryAfter?: number
  /** Further headers of the response. */
  headers?: Readonly<Record<string, string>>
  cause?: unknown
}

/** The response body of a refusal, with its extras. */
export interface RefusalBody {
  error: string
  code: RefusalCode
  details?: unknown
  [extra: string]: unknown
}

/** An expected failure of a use case. Transports turn every other error into a 500. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  readonly code: RefusalCode
  readonly details: unknown
  readonly extras: Readonly<Record<string, unknown>> | undefined
  readonly retryAfter: number | undefined
  readonly headers: Readonly<Record<string, string>> | undefined

  constructor(code: RefusalCode, refused: Refused = {}) {
    // Refusals are expected, and may be many at once: to write down where each was made takes ten times as long as the rest.
    const errors: ErrorConstructor & { stackTraceLimit?: number | undefined } = Error
    const { stackTraceLimit } = errors
    errors.stackTraceLimit = 0
    super(refused.text ?? refusalText(code, refused.values), refused.cause === undefined ? undefined : { cause: refused.cause })
    errors.stackTraceLimit = stackTraceLimit
    this.code = code
    this.details = refused.details
    this.extras = refused.extras
    this.retryAfter = refused.retryAfter
    this.headers = refused.headers
  }

  /** HTTP status of the code. */
  get status(): number {
    return refusals[this.code].status
  }

  /** The header that says when to ask again; empty when nothing is known of that. */
  get retryHeader(): Record<string, string> {
    return this.retryAfter === undefined ? {} : { 'Retry-After': String(this.retryAfter) }
  }

  body(): RefusalBody {
    return { error: this.message, code: this.code, ...(this.details === undefined ? {} : { details: this.details }), ...this.extras }
  }
}
