import type { ApiKey } from '@augury/signing/request-signer'
import type { Operation } from '@augury/wire/operation'
import { LOGIN, type TradeAnswer, type TradingTable, tradeAnswer, tradingOperations } from '@augury/wire/trade-stream'
import { NoAnswerError, RefusedError } from './answer.ts'
import { ReconnectingSocket, type SocketOptions, type StreamStatus } from './reconnecting-socket.ts'
import { type Client, methodsOf, type VenueClient } from './rest.ts'
import { defaultRetry, type RetryPolicy, withRetries } from './retry.ts'
import { StreamLogin } from './stream-login.ts'
import type { CallOptions, Sent } from './transport.ts'

/** Options of a trading socket. */
export interface TradingOptions extends SocketOptions {
  /** A key of scope `trade` or above. */
  apiKey: ApiKey
  /** Reads the server's time. */
  client: Pick<VenueClient, 'getTime'>
  /** Whether the end of a connection cancels all open orders of the account. */
  cancelOnDisconnect?: boolean
  /** Milliseconds to wait for an answer, and for a connection to send on. */
  timeoutMs?: number
  retry?: RetryPolicy
  /** Called with the `RefusedError` of a refused or revoked login. */
  onError?: (error: unknown) => void
}

/** Operations over `/ws/trade`: the same methods as over REST, of orders, cancels and heartbeats. */
export interface Trading extends Client<TradingTable> {
  readonly status: StreamStatus
  /** Closes the socket for good. What is not answered throws a `NoAnswerError`. */
  close(): void
}

/** URL of a service's trading socket. */
export const tradingUrl = (serviceUrl: string): string => `${serviceUrl.replace(/^http/, 'ws').replace(/\/+$/, '')}/ws/trade`

/**
 * Opens a trading socket. Calls are sent in the order in which they are made; those made before the login is answered wait for it. A call
 * whose connection was lost before its answer is sent again if that is safe, as over REST; else its outcome is unknown (`NoAnswerError`).
 */
export function openTrading(options: TradingOptions): Trading {
  const socket = new TradingSocket(options)
  const methods = methodsOf<TradingTable>(tradingOperations, (op, request, how) => socket.send(op, request, how))
  return Object.defineProperty(Object.assign(methods, { close: () => socket.close() }), 'status', { get: () => socket.status }) as Trading
}

/** The id of the login; those of calls are greater. */
const LOGIN_ID = 0
const TIMEOUT_MS = 10_000

interface Pending {
  resolve(body: unknown): void
  reject(error: unknown): void
}

class TradingSocket {
  readonly #options: TradingOptions
  readonly #socket: ReconnectingSocket
  readonly #login: StreamLogin
  /** Sent, and not answered. */
  readonly #pending = new Map<number, Pending>()
  /** Calls that wait for a connection, in order. */
  readonly #waiting = new Set<() => void>()
  #next = LOGIN_ID + 1
  /** Why the last login was refused. */
  #refusal: RefusedError | null = null

  constructor(options: TradingOptions) {
    this.#options = options
    this.#login = new StreamLogin(options.apiKey, options.client, '/ws/trade')
    const onStatus = (status: StreamStatus) => {
      if (status !== 'live') this.#lost()
      options.onStatus?.(status)
    }
    this.#socket = new ReconnectingSocket(
      { ...options, onStatus },
      {
        onOpen: () => void this.#logIn().catch((error: unknown) => options.onError?.(error)),
        onMessage: (message) => {
          const read = tradeAnswer.safeParse(message)
          if (read.success) this.#hear(read.data)
        },
      },
    )
    this.#socket.connect()
  }

  get status(): StreamStatus {
    return this.#socket.status
  }

  close(): void {
    this.#socket.close()
    for (const wake of [...this.#waiting]) wake()
  }

  /** Sends an operation, again where that is safe, and returns the body of its answer. */
  send(
    op: Operation & { trading?: string },
    { body }: Sent,
    { signal, timeoutMs = this.#options.timeoutMs }: CallOptions = {},
  ): Promise<unknown> {
    const policy = op.repeatable ? (this.#options.retry ?? defaultRetry) : { attempts: 1, pauseMs: 0 }
    const rest = `"op":"${op.trading}"${body === undefined ? '' : `,"body":${body}`}}`
    return withRetries(policy, () => this.#attempt(rest, timeoutMs ?? TIMEOUT_MS, signal), signal)
  }

  /**
   * Sends a frame once, as soon as there is a connection. What was certainly not sent throws the refusal of the login, `service_unavailable`, or
   * the signal's reason.
   */
  #attempt(rest: string, timeoutMs: number, signal: AbortSignal | undefined): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const id = this.#next++
      let isSent = false
      const end = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', onAbort)
        this.#waiting.delete(send)
        this.#pending.delete(id)
      }
      const settle =
        <T>(call: (value: T) => void) =>
        (value: T) => {
          end()
          call(value)
        }
      const give = settle(reject)
      const send = () => {
        if (this.status === 'live') {
          this.#waiting.delete(send)
          isSent = this.#socket.write(`{"id":${id},${rest}`)
          if (isSent) this.#pending.set(id, { resolve: settle(resolve), reject: give })
        }
        if (this.status === 'closed' || this.status === 'refused' || (this.status === 'live' && !isSent)) give(this.#notSent())
      }
      const onAbort = () => give(isSent ? new NoAnswerError('no answer from /ws/trade', { cause: signal?.reason }) : signal?.reason)
      const timer = setTimeout(() => give(isSent ? new NoAnswerError('no answer from /ws/trade in time') : this.#notSent()), timeoutMs)
      if (signal?.aborted) return onAbort()
      signal?.addEventListener('abort', onAbort)
      this.#waiting.add(send)
      if (this.status !== 'connecting' && this.status !== 'reconnecting') send()
    })
  }

  async #logIn(): Promise<void> {
    const { cancelOnDisconnect } = this.#options
    const body = { ...(await this.#login.auth()), ...(cancelOnDisconnect ? { cancel_on_disconnect: true } : {}) }
    this.#socket.send({ id: LOGIN_ID, op: LOGIN, body })
  }

  #hear(answer: TradeAnswer): void {
    const { id, status, body } = answer
    if (id === LOGIN_ID && status === 200) {
      this.#socket.confirm()
      for (const send of [...this.#waiting]) send()
    } else if (id === LOGIN_ID || id === null) this.#refused(refusalOf(answer))
    else if (status === 200) this.#pending.get(Number(id))?.resolve(body)
    else {
      const refusal = refusalOf(answer)
      // An answer that the outcome is unknown is as good as none: the same frame may be sent again, and tell.
      const isUnknown = refusal.code === 'outcome_unknown'
      this.#pending.get(Number(id))?.reject(isUnknown ? new NoAnswerError(refusal.message, { cause: refusal }) : refusal)
    }
  }

  /** The login was refused, or ended. */
  #refused(refusal: RefusedError): void {
    if (refusal.code === 'stale_timestamp') {
      this.#login.learnClock()
      this.#socket.renew() // before the server closes it with a code that means refused
    } else {
      this.#refusal = refusal
      this.#options.onError?.(refusal)
    }
  }

  /** Why a call was not sent: its login was refused, or there is no connection. */
  #notSent(): RefusedError {
    if (this.status === 'refused' && this.#refusal) return this.#refusal
    return new RefusedError(
      503,
      { error: 'There is no connection to /ws/trade; nothing was sent.', code: 'service_unavailable' },
      undefined,
    )
  }

  /** The connection is gone: what became of frames without an answer is not known. */
  #lost(): void {
    for (const { reject } of [...this.#pending.values()]) reject(new NoAnswerError('the connection was lost before the answer came'))
    if (this.status === 'refused') for (const wake of [...this.#waiting]) wake()
  }
}

function refusalOf({ status, headers, body }: TradeAnswer): RefusedError {
  const { 'Retry-After': retryAfter, ...budget } = headers
  const seconds = retryAfter === undefined ? undefined : Number(retryAfter)
  const { 'Idempotent-Replayed': _, ...limits } = budget
  return new RefusedError(status, body as Readonly<Record<string, unknown>>, seconds, limits as Readonly<Record<string, string>>)
}
