import { type ApiKey, type RequestSigner, requestSigner, signedHeaders } from '@augury/signing/request-signer'
import type { Operation } from '@augury/wire/operation'
import { type Addresses, AddressList } from './addresses.ts'
import { type Fetch, fetchAnswer, NoAnswerError, type RefusalIn, RefusedError } from './answer.ts'
import { defaultRetry, type RetryPolicy, withRetries } from './retry.ts'

/** Options of a client. */
export interface ClientOptions {
  /**
   * Base URL of the order-book service, including its mount path if any. With several, of its programs, the next one is asked when one does not
   * answer or only follows: what is safe to repeat is then the same there.
   */
  url: Addresses
  /** For signed operations. */
  apiKey?: ApiKey
  /** Signs public operations too, for accounts of tier `internal`, which have no rate limits. */
  signAll?: boolean
  fetch?: Fetch
  /** Milliseconds to wait for a response. */
  timeoutMs?: number
  retry?: RetryPolicy
  /** Unix milliseconds. A wrong clock is corrected by the server's after the first refusal. */
  now?: () => number
  /** Called with the number of milliseconds by which the server's clock is ahead of ours. */
  onClock?: (aheadMs: number) => void
  /** Additional headers of every request. */
  headers?: Readonly<Record<string, string>>
}

/** How a single call is made. */
export interface CallOptions {
  /** Ends the call. What was sent and not answered throws a `NoAnswerError`, and what was not sent the signal's reason. */
  signal?: AbortSignal | undefined
  /** Milliseconds to wait for each response; by default, the client's. */
  timeoutMs?: number | undefined
}

/** A request to send. */
export interface Sent {
  method: string
  path: string
  /** The query including its question mark, or empty. */
  search: string
  body?: string | undefined
}

/** Sends requests of operations: signs them, retries them where that is safe, and follows the server's clock. */
export class Transport {
  readonly #options: ClientOptions
  readonly #addresses: AddressList
  readonly #refusalIn: RefusalIn | undefined
  #signer: Promise<RequestSigner> | undefined
  /** Milliseconds by which the server's clock is ahead of ours. */
  #clockOffset = 0

  constructor(options: ClientOptions, refusalIn?: RefusalIn) {
    this.#options = options
    this.#addresses = new AddressList(options.url)
    this.#refusalIn = refusalIn
  }

  /** Sends a request and returns the response's value. Throws a `RefusedError`, a `NoAnswerError`, or the reason of the signal. */
  async send(op: Operation, request: Sent, how: CallOptions = {}): Promise<unknown> {
    const { ahead } = this
    try {
      return await this.#attempt(op, request, how)
    } catch (error) {
      // It was refused before it was executed, so a second request with a new signature cannot take effect twice.
      if (!(error instanceof RefusedError && error.code === 'stale_timestamp')) throw error
      await this.learnClock(error, ahead, how).catch(() => {
        throw error // the time is unavailable, or the clock was not the reason
      })
      return this.#attempt(op, request, how)
    }
  }

  /** Signs once and sends the same bytes on every retry, so that a repeated order is still one order. */
  async #attempt(op: Operation, request: Sent, { signal, timeoutMs = this.#options.timeoutMs }: CallOptions): Promise<unknown> {
    const { method, path, search, body } = request
    const { headers: given, retry, fetch: send } = this.#options
    const headers: Record<string, string> = { ...given, ...(await this.#sign(op, request)), accept: 'application/json' }
    if (body !== undefined) headers['content-type'] = 'application/json'
    const init: RequestInit = body === undefined ? { method, headers } : { method, headers, body }
    const policy = op.repeatable ? (retry ?? defaultRetry) : { attempts: 1, pauseMs: 0 }
    signal?.throwIfAborted()
    const options = { send, timeoutMs, signal, refusalIn: this.#refusalIn }
    return withRetries(
      policy,
      () => this.#addresses.ask((base) => fetchAnswer(base + path + search, init, options).catch(unknownAsNone)),
      signal,
    )
  }

  /** The signed headers; none for public operations. The query is signed too, except for GET. */
  async #sign(op: Operation, { method, path, search, body = '' }: Sent): Promise<Record<string, string>> {
    const { apiKey, signAll } = this.#options
    if (op.auth === 'public' && !signAll) return {}
    if (!apiKey) throw new TypeError(`${op.method} ${op.path} needs an API key`)
    this.#signer ??= requestSigner(apiKey.secret)
    const sign = await this.#signer
    const timestamp = Math.floor(this.now() / 1000)
    return signedHeaders(apiKey, timestamp, await sign({ timestamp, method, path: method === 'GET' ? path : path + search, body }))
  }

  /** Unix milliseconds by the server's clock, as far as known. */
  now(): number {
    return (this.#options.now ?? Date.now)() + this.#clockOffset
  }

  /** Milliseconds by which the server's clock is ahead of ours, as far as known. */
  get ahead(): number {
    return this.#clockOffset
  }

  /** Reads the server's clock after a refusal of what was signed with this `ahead`. Throws the refusal if the clock was not the reason. */
  async learnClock(refusal: RefusedError, ahead: number, { signal, timeoutMs = this.#options.timeoutMs }: CallOptions = {}): Promise<void> {
    const { fetch: send, now = Date.now, onClock } = this.#options
    const seconds = (await fetchAnswer(`${this.#addresses.current}/time`, { method: 'GET' }, { send, timeoutMs, signal })) as number
    const offset = seconds * 1000 - now()
    if (!(Math.abs(offset - ahead) >= 1000)) throw refusal // also when what came is no time
    if (Math.abs(offset - this.#clockOffset) < 1000) return // corrected meanwhile, after another refusal
    this.#clockOffset = offset
    onClock?.(offset)
  }
}

/** An answer that the outcome is unknown is as good as none: the same bytes may be sent again, and tell. */
function unknownAsNone(error: unknown): never {
  throw error instanceof RefusedError && error.code === 'outcome_unknown' ? new NoAnswerError(error.message, { cause: error }) : error
}
