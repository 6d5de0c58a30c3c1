import { decodeBase64, encodeBase64Url } from './base64.ts'
import { headerName } from './headers.ts'
import { messageHead } from './message.ts'

/** Request signing for clients, on Web Crypto: works in browsers, Node and workers. */

/** The credentials of an API key. */
export interface ApiKey {
  address: string
  key: string
  /** Base64 in either alphabet. */
  secret: string
  passphrase: string
}

/** Signs requests with one API key. */
export type RequestSigner = (request: { timestamp: number; method: string; path: string; body?: string }) => Promise<string>

/** Makes a signer of a secret, which is imported once. Throws a `Base64Error` on a malformed secret. */
export async function requestSigner(secret: string): Promise<RequestSigner> {
  const key = await crypto.subtle.importKey('raw', decodeBase64(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  const encoder = new TextEncoder()
  return async ({ timestamp, method, path, body = '' }) => {
    const message = encoder.encode(messageHead(timestamp, method, path) + body)
    return encodeBase64Url(new Uint8Array(await crypto.subtle.sign('HMAC', key, message)))
  }
}

/** The five headers of a signed request. */
export const signedHeaders = (apiKey: ApiKey, timestamp: number, signature: string): Record<string, string> => ({
  [headerName('address')]: apiKey.address,
  [headerName('apiKey')]: apiKey.key,
  [headerName('passphrase')]: apiKey.passphrase,
  [headerName('timestamp')]: String(timestamp),
  [headerName('signature')]: signature,
})
