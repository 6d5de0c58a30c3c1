import { setTimeout as wait } from 'node:timers/promises'
import { createApiKey } from '@augury/client/api-key'
import { type ApiKey, requestSigner, signedHeaders } from '@augury/signing/request-signer'
import type { PrivateKeyAccount } from 'viem/accounts'

/** A response. */
export interface Reply {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  body: any
}

/** Timeout of a request in milliseconds; afterwards its outcome is unknown. */
const PATIENCE_MS = 4000
/** Attempts of a read. */
const LOOKS = 4

/** Sends one request as it is. Throws when no complete response arrives. */
export async function send(
  url: string,
  method: string,
  target: string,
  body?: string,
  headers: Record<string, string> = {},
  patienceMs = PATIENCE_MS,
): Promise<Reply> {
  const reply = await fetch(url + target, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body }),
    signal: AbortSignal.timeout(patienceMs),
  })
  return { status: reply.status, body: await reply.json() }
}

/** Sends until there is a verdict: retries when told to; an order with the same name is one order, however often it is sent. */
export async function answered(ask: () => Promise<Reply>): Promise<Reply> {
  for (let patience = 100; ; patience--) {
    const reply = await ask().catch((error: unknown) => (patience === 0 ? Promise.reject(error) : null))
    if (reply && reply.status !== 503) return reply
    if (patience === 0) throw new Error(`it was told ${JSON.stringify(reply?.body)} again and again`)
    await wait(20)
  }
}

/** A trader with an API key, who sends each request once and trusts only the answer. */
export class Trader {
  readonly key: ApiKey
  readonly #sign: Awaited<ReturnType<typeof requestSigner>>
  readonly #patienceMs: number

  private constructor(key: ApiKey, sign: Awaited<ReturnType<typeof requestSigner>>, patienceMs: number) {
    this.key = key
    this.#sign = sign
    this.#patienceMs = patienceMs
  }

  /** The trader of a wallet; its key is created by the first call. */
  static async of(url: string, wallet: PrivateKeyAccount, scope: 'trade' | 'venue' = 'trade', patienceMs = PATIENCE_MS): Promise<Trader> {
    const key = await createApiKey({ url, wallet, nonce: 0n, scope })
    return new Trader(key, await requestSigner(key.secret), patienceMs)
  }

  /** Like `call`, but retried when the connection broke or timed out: for idempotent reads after the faults are over. */
  async look(...question: Parameters<Trader['call']>): Promise<Reply> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.call(...question)
      } catch (error) {
        if (tries === LOOKS) throw error
      }
    }
  }

  /** Signs a request and sends it to one of the exchange's processes. */
  async call(url: string, method: string, target: string, value?: unknown): Promise<Reply> {
    const timestamp = Math.floor(Date.now() / 1000)
    const body = value === undefined ? '' : JSON.stringify(value)
    const path = method === 'GET' ? target.split('?')[0]! : target
    const headers = signedHeaders(this.key, timestamp, await this.#sign({ timestamp, method, path, body }))
    return send(url, method, target, value === undefined ? undefined : body, headers, this.#patienceMs)
  }
}
