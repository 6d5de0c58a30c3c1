import { isDeepStrictEqual } from 'node:util'
import { createApiKey } from '@augury/client/api-key'
import type { ApiKey } from '@augury/signing/request-signer'
import { requestSigner, signedHeaders } from '@augury/signing/request-signer'
import type { Scope } from '@augury/wire/credentials'
import { refusalCodesOf } from '@augury/wire/documents/openapi'
import type { Operation } from '@augury/wire/operation'
import { venueOperations } from '@augury/wire/operations/venue'
import type { PrivateKeyAccount } from 'viem/accounts'

/** What came back. */
export interface Reply {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  body: any
}

/** How a request differs from an honest one. */
export interface Tampering {
  /** Seconds added to the signed timestamp. */
  skew?: number
  /** Sent instead of what was signed. */
  sentBody?: string
  headers?: Record<string, string>
}

const routes = Object.values<Operation>(venueOperations).map((operation) => ({
  operation,
  path: new RegExp(`^${operation.path.replace(/\{\w+\}/g, '[^/]+')}$`),
}))

/** What every operation may be refused with, and what is refused before there is an operation. */
const anywhere: ReadonlySet<string> = new Set(['overloaded', 'service_unavailable', 'bad_request', 'headers_too_large'])

/** Whatever a test asks for on its way: an answer or a refusal that the table of operations does not describe fails it. */
function checkAnswer(method: string, target: string, status: number, text: string): void {
  const path = target.split('?')[0]!
  const route = routes.find(({ operation, path: pattern }) => operation.method === method && pattern.test(path))
  if (!route || text === '') return
  const { operation } = route
  if (status === 200) {
    const answer = JSON.parse(text)
    const checked = operation.output.safeParse(answer)
    if (!checked.success) throw new Error(`${method} ${path} answered ${text.slice(0, 500)}: ${checked.error.message}`)
    if (!isDeepStrictEqual(checked.data, answer))
      throw new Error(`${method} ${path} answers more than is documented: ${text.slice(0, 500)}`)
  } else if (status >= 400) {
    const { error: _, code, details: __, ...extras } = JSON.parse(text)
    const { refusalExtras } = operation
    if (refusalExtras ? !refusalExtras.strict().safeParse(extras).success : Object.keys(extras).length > 0)
      throw new Error(`${method} ${path} is not documented to add ${JSON.stringify(extras)} to ${code}`)
    if (!anywhere.has(code) && !refusalCodesOf(operation).has(code))
      throw new Error(`${method} ${path} is not documented to refuse ${code}`)
  }
}

/** Sends one request. */
export async function send(
  url: string,
  method: string,
  target: string,
  body?: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const reply = await fetch(url + target, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body }),
  })
  const text = await reply.text()
  if (!url.endsWith('/compat')) checkAnswer(method, target, reply.status, text)
  return { status: reply.status, headers: reply.headers, body: text === '' ? null : JSON.parse(text) }
}

/** Signs and sends what an API key asks for. */
export class Caller {
  readonly url: string
  readonly key: ApiKey
  readonly #sign: Awaited<ReturnType<typeof requestSigner>>

  private constructor(url: string, key: ApiKey, sign: Awaited<ReturnType<typeof requestSigner>>) {
    this.url = url
    this.key = key
    this.#sign = sign
  }

  static async with(url: string, key: ApiKey): Promise<Caller> {
    return new Caller(url, key, await requestSigner(key.secret))
  }

  /** The key of a wallet, created at the first call. */
  static async of(url: string, wallet: PrivateKeyAccount, scope?: Scope, nonce = 0n): Promise<Caller> {
    return Caller.with(url, await createApiKey({ url, wallet, nonce, ...(scope === undefined ? {} : { scope }) }))
  }

  /** The five headers over a request. */
  async headers(method: string, target: string, body = '', skew = 0): Promise<Record<string, string>> {
    const timestamp = Math.floor(Date.now() / 1000) + skew
    const path = method === 'GET' ? target.split('?')[0]! : target
    return signedHeaders(this.key, timestamp, await this.#sign({ timestamp, method, path, body }))
  }

  /** What this key logs in to a stream with. */
  async streamAuth(skew = 0, path = '/ws/user'): Promise<{ key: string; passphrase: string; timestamp: string; signature: string }> {
    const timestamp = Math.floor(Date.now() / 1000) + skew
    const { key, passphrase } = this.key
    return { key, passphrase, timestamp: String(timestamp), signature: await this.#sign({ timestamp, method: 'GET', path }) }
  }

  /** Sends a signed request; `body` is a value, or the exact text to send. */
  async call(method: string, target: string, body?: unknown, { skew = 0, sentBody, headers = {} }: Tampering = {}): Promise<Reply> {
    const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body)
    return send(this.url, method, target, sentBody ?? text, { ...(await this.headers(method, target, text, skew)), ...headers })
  }

  /** Places an order. */
  async place(order: object): Promise<Reply['body']> {
    return (await this.call('POST', '/order', order)).body
  }

  /** An order of its own by its id. */
  async order(id: string): Promise<Reply['body']> {
    return (await this.call('GET', `/data/order/${id}`)).body
  }

  /** What the account has in USDC. */
  async cash(): Promise<Reply['body']> {
    return (await this.call('GET', '/balance-allowance?asset_type=COLLATERAL')).body
  }
}
