import { headerName } from '@augury/signing/headers'
import { loginTypedData } from '@augury/signing/login'
import type { ApiKey } from '@augury/signing/request-signer'
import type { Credentials, Scope } from '@augury/wire/credentials'
import { keyOperations } from '@augury/wire/operations/keys'
import { serviceOperations } from '@augury/wire/operations/service'
import type { Hex } from '@augury/wire/scalars'
import { AddressList } from './addresses.ts'
import { fetchAnswer, RefusedError, readAnswer } from './answer.ts'
import { clientOf } from './rest.ts'
import { defaultRetry, withRetries } from './retry.ts'
import type { ClientOptions } from './transport.ts'

export type { ApiKey }

/** A wallet that signs typed data: a viem account, or a few lines around a browser's. */
export interface Wallet {
  address: Hex
  signTypedData(typedData: never): Promise<Hex>
}

/** Which of a wallet's keys to create or derive, and where. */
export interface KeyOptions extends Pick<ClientOptions, 'url' | 'fetch' | 'timeoutMs' | 'retry' | 'now'> {
  wallet: Wallet
  /** Chain id in the signature; by default, the server's. */
  chainId?: number
  /** A wallet has one key per nonce; 0 by default. */
  nonce?: bigint
  /** Public host of the exchange, which is part of the signature; by default, that of `url`, of the first of several. */
  host?: string
  /** Gives up; what was asked for may be there, and asking again gives the same key. */
  signal?: AbortSignal
}

/**
 * Creates the wallet's key for a nonce, or returns the existing one. The first creation fixes name and scope. Throws a `RefusedError`, a
 * `NoAnswerError`, or a `BadAnswerError` if something other than the exchange answers at `url`. The `details` of a refusal `bad_signature` have
 * the host and chain that the wallet must sign for.
 */
export const createApiKey = (options: KeyOptions & { name?: string; scope?: Scope }): Promise<ApiKey> => {
  const { name, scope } = options
  return request(options, keyOperations.createKey, name === undefined && scope === undefined ? undefined : JSON.stringify({ name, scope }))
}

/** Returns the wallet's existing key for a nonce. Throws as `createApiKey`. */
export const deriveApiKey = (options: KeyOptions): Promise<ApiKey> => request(options, keyOperations.deriveKey, undefined)

async function request(
  { wallet, url, nonce = 0n, host = new URL([url].flat()[0]!).host, chainId, now = Date.now, signal, ...how }: KeyOptions,
  operation: typeof keyOperations.createKey | typeof keyOperations.deriveKey,
  body: string | undefined,
): Promise<ApiKey> {
  const { method, path } = operation
  const { fetch: send, timeoutMs, retry = defaultRetry } = how
  const addresses = new AddressList(url)
  const client = clientOf(serviceOperations, { url, ...how })
  const chain = chainId ?? (await client.getStatus({}, { signal })).chain_id
  const ask = async (seconds: number): Promise<ApiKey> => {
    const timestamp = String(seconds)
    const login = loginTypedData({ chainId: chain, address: wallet.address, host, method, path, timestamp, nonce })
    const headers: Record<string, string> = {
      [headerName('address')]: wallet.address,
      [headerName('signature')]: await wallet.signTypedData(login as never),
      [headerName('timestamp')]: timestamp,
      [headerName('nonce')]: String(nonce),
      accept: 'application/json',
    }
    if (body !== undefined) headers['content-type'] = 'application/json'
    const init: RequestInit = body === undefined ? { method, headers } : { method, headers, body }
    const attempt = (base: string) => fetchAnswer(base + path, init, { send, timeoutMs, signal })
    const answer = await withRetries(retry, () => addresses.ask(attempt), signal)
    const { apiKey, secret, passphrase } = readAnswer(operation, answer) as Credentials
    return { address: wallet.address, key: apiKey, secret, passphrase }
  }
  return ask(Math.floor(now() / 1000)).catch(async (error) => {
    if (!(error instanceof RefusedError && error.code === 'stale_timestamp')) throw error
    const seconds = await client.getTime({}, { signal }).catch(() => {
      throw error
    })
    return ask(seconds) // our clock is wrong: the wallet signs once more, by the server's
  })
}
