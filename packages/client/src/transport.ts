import { type ApiKey, type RequestSigner, requestSigner, signedHeaders } from '@augury/signing/request-signer'
import type { Operation } from '@augury/wire/operation'
import { type Fetch, fetchAnswer, RefusedError } from './answer.ts'
import { defaultRetry, type RetryPolicy, withRetries } from './retry.ts'

/** Where and as whom to call. */
export interface ClientOptions {
  /** Address of the order-book service, with a path where it is mounted below one. */
  url: string
  /** For signed operations. */
  apiKey?: ApiKey
  /** Signs public operations too: accounts of tier `internal` have no rate limits. */
  signAll?: boolean
  fetch?: Fetch
  /** Milliseconds to wait for an answer. */
  timeoutMs?: number
  retry?: RetryPolicy
  /** Unix milliseconds. A wrong clock is corrected by the server's at the first refusal. */
  now?: () => number
  /** Called with the number of milliseconds by which the server's clock is ahead of ours. */
  onClock?: (aheadMs: number) => void
  /** Sent with every request. */
  headers?: Readonly<Record<string, string>>
}

/** A request below the service's address. */
export interface Sent {
  method: string
  path: string
  /** Its query with the question mark, or empty. */
  search: string
  body?: string | undefined
}

/** Extracts the error body from an answer: REST sends it bare, tRPC wraps it. */
export type RefusalIn = (answer: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>

/** Sends requests of operations: signs them, repeats them where that is safe, and keeps to the server's clock. */
export class Transport {
  readonly #options: ClientOptions
  readonly #base: string
  readonly #refusalIn: RefusalIn | undefined
  #signer: Promise<RequestSigner> | undefined
  /** Milliseconds by which the server's clock is ahead of ours. */
  #clockOffset = 0

  constructor(options: ClientOptions, refusalIn?: RefusalIn) {
    this.#options = options
    this.#base = options.url.replace(/\/+$/, '')
    this.#refusalIn = refusalIn
  }

  /** The value that the service answers. Throws a `RefusedError` or a `NoAnswerError`. */
  async send(op: Operation, request: Sent): Promise<unknown> {
    const { ahead } = this
    try {
      return await this.#attempt(op, request)
    } catch (error) {
      // Refused before anything was run, so sending it again with a new signature cannot do it twice.
      if (!(error instanceof RefusedError && error.code === 'stale_timestamp')) throw error
      await this.learnClock(error, ahead).catch(() => {
        throw error // nobody told the time, or the clock was not the reason
      })
      return this.#attempt(op, request)
    }
  }

  /** Signs once and sends the same bytes on every retry, so an order that is sent twice is still one order. */
  async #attempt(op: Operation, request: Sent): Promise<unknown> {
    const { method, path, search, body } = request
    const { headers: given, retry, fetch, timeoutMs } = this.#options
    const headers: Record<string, string> = { ...given, ...(await this.#sign(op, request)), accept: 'application/json' }
    if (body !== undefined) headers['content-type'] = 'application/json'
    const init: RequestInit = body === undefined ? { method, headers } : { method, headers, body }
    const policy = op.repeatable ? (retry ?? defaultRetry) : { attempts: 1, pauseMs: 0 }
    return withRetries(policy, () => fetchAnswer(this.#base + path + search, init, { send: fetch, timeoutMs, refusalIn: this.#refusalIn }))
  }

  /** The signed headers; none for public operations. The query is part of what is signed, except for GET. */
  async #sign(op: Operation, { method, path, search, body = '' }: Sent): Promise<Record<string, string>> {
    const { apiKey, signAll } = this.#options
    if (op.auth === 'public' && !signAll) return {}
    if (!apiKey) throw new TypeError(`${op.method} ${op.path} needs an API key`)
    this.#signer ??= requestSigner(apiKey.secret)
    const sign = await this.#signer
    const timestamp = Math.floor(this.now() / 1000)
    return signedHeaders(apiKey, timestamp, await sign({ timestamp, method, path: method === 'GET' ? path : path + search, body }))
  }

  /** Unix milliseconds, by the server's clock as far as it is known. */
  now(): number {
    return (this.#options.now ?? Date.now)() + this.#clockOffset
  }

  /** Milliseconds by which the server's clock is ahead of ours, as far as it is known. */
  get ahead(): number {
    return this.#clockOffset
  }

  /** Sets our clock by the server's. `ahead` is what was known of it when the refused was signed; throws the refusal when that was right. */
  async learnClock(refusal: RefusedError, ahead: number): Promise<void> {
    const { fetch, timeoutMs, now = Date.now, onClock } = this.#options
    const seconds = (await fetchAnswer(`${this.#base}/time`, { method: 'GET' }, { send: fetch, timeoutMs })) as number
    const offset = seconds * 1000 - now()
    if (Math.abs(offset - ahead) < 1000) throw refusal
    if (Math.abs(offset - this.#clockOffset) < 1000) return // learned since, by what was refused before
    this.#clockOffset = offset
    onClock?.(offset)
  }
}
