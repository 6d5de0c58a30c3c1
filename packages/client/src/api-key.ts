import { headerName } from '@augury/signing/headers'
import { loginTypedData } from '@augury/signing/login'
import { PROXY_SIGNATURE_TYPE, proxyWalletOf } from '@augury/signing/proxy-wallet'
import type { ApiKey } from '@augury/signing/request-signer'
import type { Credentials, Scope } from '@augury/wire/credentials'
import { keyOperations } from '@augury/wire/operations/keys'
import { serviceOperations } from '@augury/wire/operations/service'
import { walletOperations } from '@augury/wire/operations/wallets'
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

/** What else a new key is created with. */
type Wish = { name?: string; scope?: Scope }

/**
 * Creates the wallet's key for a nonce, or returns the existing one. The first creation fixes name and scope. Throws a `RefusedError`, a
 * `NoAnswerError`, or a `BadAnswerError` if something other than the exchange answers at `url`. The `details` of a refusal `bad_signature` have
 * the host and chain that the wallet must sign for.
 */
export const createApiKey = async (options: KeyOptions & Wish): Promise<ApiKey> =>
  keyOf(options, await create(options, await chainOf(options)))

/**
 * Creates a key as `createApiKey` does, ready for orders: where the exchange requires a proxy wallet and the account has none, the wallet signs
 * a second time to register its own. Throws as `createApiKey`.
 */
export async function createTradingKey(options: KeyOptions & Wish): Promise<ApiKey> {
  const chainId = await chainOf(options)
  const credentials = await create(options, chainId)
  if (credentials.proxy_wallet_missing) {
    const path = `/auth/wallets/${proxyWalletOf(options.wallet.address).toLowerCase()}/${PROXY_SIGNATURE_TYPE}`
    await askSigned({ ...options, chainId }, { operation: walletOperations.registerWallet, path })
  }
  return keyOf(options, credentials)
}

/** Returns the wallet's existing key for a nonce. Throws as `createApiKey`. */
export async function deriveApiKey(options: KeyOptions): Promise<ApiKey> {
  const request = { operation: keyOperations.deriveKey, path: keyOperations.deriveKey.path }
  return keyOf(options, (await askSigned({ ...options, chainId: await chainOf(options) }, request)) as Credentials)
}

async function create({ name, scope, ...options }: KeyOptions & Wish, chainId: number): Promise<Credentials> {
  const body = name === undefined && scope === undefined ? undefined : JSON.stringify({ name, scope })
  const operation = keyOperations.createKey
  return (await askSigned({ ...options, chainId }, { operation, path: operation.path, body })) as Credentials
}

const keyOf = ({ wallet }: KeyOptions, { apiKey, secret, passphrase }: Credentials): ApiKey => ({
  ...{ address: wallet.address, key: apiKey, secret, passphrase },
})

const chainOf = async ({ chainId, signal, ...how }: KeyOptions): Promise<number> =>
  chainId ?? (await clientOf(serviceOperations, how).getStatus({}, { signal })).chain_id

/** A request that the wallet itself signs. */
interface SignedRequest {
  operation: typeof keyOperations.createKey | typeof keyOperations.deriveKey | typeof walletOperations.registerWallet
  path: string
  body?: string | undefined
}

/** Sends a request signed by the wallet, by the server's time when our clock turns out to be wrong. */
async function askSigned(
  {
    wallet,
    url,
    nonce = 0n,
    host = new URL([url].flat()[0]!).host,
    chainId,
    now = Date.now,
    signal,
    ...how
  }: KeyOptions & { chainId: number },
  { operation, path, body }: SignedRequest,
): Promise<unknown> {
  const { method } = operation
  const { fetch: send, timeoutMs, retry = defaultRetry } = how
  const addresses = new AddressList(url)
  const ask = async (seconds: number): Promise<unknown> => {
    const timestamp = String(seconds)
    const login = loginTypedData({ chainId, address: wallet.address, host, method, path, timestamp, nonce })
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
    return readAnswer(operation, await withRetries(retry, () => addresses.ask(attempt), signal))
  }
  return ask(Math.floor(now() / 1000)).catch(async (error) => {
    if (!(error instanceof RefusedError && error.code === 'stale_timestamp')) throw error
    const client = clientOf(serviceOperations, { url, ...how })
    const seconds = await client.getTime({}, { signal }).catch(() => {
      throw error
    })
    return ask(seconds) // our clock is wrong: the wallet signs once more, by the server's
  })
}
