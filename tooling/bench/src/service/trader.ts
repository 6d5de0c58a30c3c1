import { createApiKey } from '@augury/client/api-key'
import { encodeBase64Url } from '@augury/signing/base64'
import { hmacOf, type SigningKey, signingKey } from '@augury/signing/hmac'
import { messageHead } from '@augury/signing/message'
import { clientOrderHash, plainOrderId } from '@augury/signing/order-id'
import { type ApiKey, signedHeaders } from '@augury/signing/request-signer'
import type { Hex } from '@augury/wire/scalars'
import type { PrivateKeyAccount } from 'viem/accounts'
import { rawRequest } from './http-load.ts'

/** A trader with an API key, who can sign ahead. A signature is good for 30 seconds. */
export class Trader {
  readonly wallet: PrivateKeyAccount
  readonly account: Hex
  readonly key: ApiKey
  readonly #hmac: SigningKey

  private constructor(wallet: PrivateKeyAccount, key: ApiKey) {
    this.wallet = wallet
    this.account = wallet.address.toLowerCase() as Hex
    this.key = key
    this.#hmac = signingKey(key.secret)
  }

  /** The trader behind a wallet, with a key of that scope. */
  static async of(url: string, wallet: PrivateKeyAccount, scope: 'trade' | 'venue' = 'trade'): Promise<Trader> {
    return new Trader(wallet, await createApiKey({ url, wallet, nonce: 0n, scope }))
  }

  /** A signed request as its headers, and the id that a plain order of it has. */
  sign(method: string, path: string, body = ''): { headers: Record<string, string>; orderId: Hex } {
    const timestamp = Math.floor(Date.now() / 1000)
    const digest = hmacOf(this.#hmac, messageHead(timestamp, method, path), Buffer.from(body))
    const headers = signedHeaders(this.key, timestamp, encodeBase64Url(digest))
    return { headers, orderId: plainOrderId(this.account, digest, 0) }
  }

  /** The same as the bytes of the whole request. */
  request(method: string, path: string, value?: unknown): { bytes: Buffer; orderId: Hex } {
    const body = value === undefined ? '' : JSON.stringify(value)
    const { headers, orderId } = this.sign(method, path, body)
    return { bytes: rawRequest(method, path, headers, body), orderId }
  }

  /** A plain order as the bytes of its request, and the id that it has: by its client order id where it is given one. */
  order(terms: object, clientOrderId?: string): { bytes: Buffer; orderId: Hex } {
    if (clientOrderId === undefined) return this.request('POST', '/order', terms)
    const { bytes } = this.request('POST', '/order', { ...terms, clientOrderId })
    return { bytes, orderId: clientOrderHash(this.account, clientOrderId) }
  }

  /** Sends a request now. Throws when the answer is not 200. */
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  async call(url: string, method: string, path: string, value?: unknown): Promise<any> {
    const body = value === undefined ? '' : JSON.stringify(value)
    const { headers } = this.sign(method, path.split('?')[0]!, body)
    const init = value === undefined ? { method, headers } : { method, headers: { ...headers, 'content-type': 'application/json' }, body }
    const reply = await fetch(url + path, init)
    if (reply.status !== 200) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`)
    return reply.json()
  }
}
