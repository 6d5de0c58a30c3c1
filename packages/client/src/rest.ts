import { type ApiKey, type RequestSigner, requestSigner, signedHeaders } from '@augury/signing/request-signer'
import type { Operation, Output, Request } from '@augury/wire/operation'
import { venueOperations } from '@augury/wire/operations/venue'
import { BadAnswerError, exchange, type Fetch, RefusedError } from './answer.ts'
import { defaultRetry, type RetryPolicy, withRetries } from './retry.ts'

/** Where and as whom to call. */
export interface ClientOptions {
  /** Address of the order-book service, with a path where it is mounted below one. */
  url: string
  /** For signed operations. */
  apiKey?: ApiKey
  fetch?: Fetch
  /** Milliseconds to wait for an answer. */
  timeoutMs?: number
  retry?: RetryPolicy
  /** Unix milliseconds. A clock that is wrong is corrected from the server's at the first refusal. */
  now?: () => number
  /** Sent with every request. */
  headers?: Readonly<Record<string, string>>
}

type Field<Key extends string, Value> = undefined extends Value
  ? { [K in Key]?: Value }
  : Record<never, never> extends Value
    ? { [K in Key]?: Value }
    : { [K in Key]: Value }

/** What a call takes: the parts that its operation has; a part may be left out when all of it may. */
export type CallInput<Op extends Operation> = Field<'params', Request<Op>['params']> &
  Field<'query', Request<Op>['query']> &
  Field<'body', Request<Op>['body']>

type Call<Op extends Operation> =
  Record<never, never> extends CallInput<Op>
    ? (input?: CallInput<Op>) => Promise<Output<Op>>
    : (input: CallInput<Op>) => Promise<Output<Op>>

/** A method per operation that an API key, or nobody, may call. */
export type Client<Table extends Record<string, Operation>> = {
  [Name in keyof Table as Table[Name]['auth'] extends 'wallet' ? never : Name]: Call<Table[Name]>
}

/** The order-book service's client. */
export type VenueClient = Client<typeof venueOperations>

interface Parts {
  params?: unknown
  query?: unknown
  body?: unknown
}

const scalar = (value: unknown): string => encodeURIComponent(String(value))

/** Path below the service's address, and its query with the question mark. */
function target(op: Operation, { params = {}, query = {} }: Parts): { path: string; search: string } {
  const path = op.path.replace(/\{(\w+)\}/g, (_, name: string) => scalar((params as Record<string, unknown>)[name]))
  const pairs = Object.entries(query as Record<string, unknown>)
    .filter(([, value]) => value !== undefined)
    .flatMap(([name, value]) => (Array.isArray(value) ? value : [value]).map((one) => `${scalar(name)}=${scalar(one)}`))
  return { path, search: pairs.length > 0 ? `?${pairs.join('&')}` : '' }
}

/** Makes a client of the order-book service from its table of operations. */
export function venueClient(options: ClientOptions): VenueClient {
  const transport = new Transport(options)
  const methods = Object.entries(venueOperations).map(([name, op]) => [name, (input?: Parts) => transport.call(op, input ?? {})])
  return Object.fromEntries(methods) as VenueClient
}

/** Sends operations: signs them, repeats them where that is safe, and reads the answers by the table's schemas. */
class Transport {
  readonly #options: ClientOptions
  readonly #base: string
  #signer: Promise<RequestSigner> | undefined
  /** Milliseconds by which the server's clock is ahead of ours. */
  #clockOffset = 0

  constructor(options: ClientOptions) {
    this.#options = options
    this.#base = options.url.replace(/\/+$/, '')
  }

  async call(op: Operation, parts: Parts): Promise<unknown> {
    try {
      return await this.#attempt(op, parts)
    } catch (error) {
      // Refused before anything else was looked at, so a new signature cannot do anything twice.
      if (!(error instanceof RefusedError && error.code === 'stale_timestamp')) throw error
      await this.#learnClock(error)
      return this.#attempt(op, parts)
    }
  }

  /** Signs once and sends the same bytes, again where that may help: an order sent twice so is still one order. */
  async #attempt(op: Operation, parts: Parts): Promise<unknown> {
    const { path, search } = target(op, parts)
    const body = parts.body === undefined ? undefined : JSON.stringify(parts.body)
    const headers = { ...this.#options.headers, ...(await this.#sign(op, path, search, body)), accept: 'application/json' }
    const init: RequestInit = {
      method: op.method,
      headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
    }
    if (body !== undefined) init.body = body
    const policy = op.repeatable ? (this.#options.retry ?? defaultRetry) : { attempts: 1, pauseMs: 0 }
    const answer = await withRetries(policy, () => exchange(this.#base + path + search, init, this.#options.fetch, this.#options.timeoutMs))
    const read = op.output.safeParse(answer)
    if (!read.success) throw new BadAnswerError(`unexpected answer of ${op.method} ${op.path}: ${read.error.message}`)
    return read.data
  }

  /** The signed headers; none when anybody may ask. Our headers sign the query of everything but GET. */
  async #sign(op: Operation, path: string, search: string, body = ''): Promise<Record<string, string>> {
    const { apiKey } = this.#options
    if (op.auth === 'public') return {}
    if (!apiKey) throw new TypeError(`${op.method} ${op.path} needs an API key`)
    this.#signer ??= requestSigner(apiKey.secret)
    const sign = await this.#signer
    const timestamp = Math.floor(((this.#options.now ?? Date.now)() + this.#clockOffset) / 1000)
    const signature = await sign({ timestamp, method: op.method, path: op.method === 'GET' ? path : path + search, body })
    return signedHeaders(apiKey, timestamp, signature)
  }

  /** Sets our clock by the server's. Throws the refusal when that was not the reason. */
  async #learnClock(refusal: RefusedError): Promise<void> {
    const seconds = (await this.#attempt(venueOperations.getTime, {})) as number
    const offset = seconds * 1000 - (this.#options.now ?? Date.now)()
    if (Math.abs(offset - this.#clockOffset) < 1000) throw refusal
    this.#clockOffset = offset
  }
}
