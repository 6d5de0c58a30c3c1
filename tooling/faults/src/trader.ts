import { setTimeout as wait } from 'node:timers/promises'
import { createApiKey } from '@augury/client/api-key'
import { type ApiKey, requestSigner, signedHeaders } from '@augury/signing/request-signer'
import type { PrivateKeyAccount } from 'viem/accounts'

/** What came back. */
export interface Reply {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  body: any
}

/** Whoever hears nothing for so long gives up: nobody knows what became of it. */
const PATIENCE_MS = 4000
/** Tries of a look. */
const LOOKS = 4

/** Sends one request as it is. Throws when no whole answer comes back. */
export async function send(
  url: string,
  method: string,
  target: string,
  body?: string,
  headers: Record<string, string> = {},
  patienceMs = PATIENCE_MS,
): Promise<Reply> {
  const reply = await fetch(url + target, {
    ...{ method, headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers } },
    ...(body === undefined ? {} : { body }),
    signal: AbortSignal.timeout(patienceMs),
  })
  return { status: reply.status, body: await reply.json() }
}

/** Asks until there is a verdict: whoever is told to come back does, and an order of the same name is one order, however often it is sent. */
export async function answered(ask: () => Promise<Reply>): Promise<Reply> {
  for (let patience = 100; ; patience--) {
    const reply = await ask().catch((error: unknown) => (patience === 0 ? Promise.reject(error) : null))
    if (reply && reply.status !== 503) return reply
    if (patience === 0) throw new Error(`it was told ${JSON.stringify(reply?.body)} again and again`)
    await wait(20)
  }
}

/** Somebody with an API key, who asks once and believes nothing but the answer: no retries here. */
export class Trader {
  readonly key: ApiKey
  readonly #sign: Awaited<ReturnType<typeof requestSigner>>
  readonly #patienceMs: number

  private constructor(key: ApiKey, sign: Awaited<ReturnType<typeof requestSigner>>, patienceMs: number) {
    this.key = key
    this.#sign = sign
    this.#patienceMs = patienceMs
  }

  /** The trader behind a wallet; its key is made at the first call. */
  static async of(url: string, wallet: PrivateKeyAccount, scope: 'trade' | 'venue' = 'trade', patienceMs = PATIENCE_MS): Promise<Trader> {
    const key = await createApiKey({ url, wallet, nonce: 0n, scope })
    return new Trader(key, await requestSigner(key.secret), patienceMs)
  }

  /** As `call`, asked again where a connection broke or was silent: for looking, once the faults are over, at what is the same each time. */
  async look(...question: Parameters<Trader['call']>): Promise<Reply> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.call(...question)
      } catch (error) {
        if (tries === LOOKS) throw error
      }
    }
  }

  /** Signs and sends a request to one of the exchange's processes. */
  async call(url: string, method: string, target: string, value?: unknown): Promise<Reply> {
    const timestamp = Math.floor(Date.now() / 1000)
    const body = value === undefined ? '' : JSON.stringify(value)
    const path = method === 'GET' ? target.split('?')[0]! : target
    const headers = signedHeaders(this.key, timestamp, await this.#sign({ timestamp, method, path, body }))
    return send(url, method, target, value === undefined ? undefined : body, headers, this.#patienceMs)
  }
}
