import { loginTypedData } from '@augury/signing/login'
import type { Wallet } from './api-key.ts'
import type { PlatformClient } from './platform.ts'

/** Options of `enableTrading`. */
export interface EnableTrading {
  /** Client of the site, with the token of a session. */
  site: PlatformClient
  /** The wallet that signed in. */
  wallet: Wallet
  /** Unix milliseconds, at most 30 s from the exchange's clock. */
  now?: () => number
}

/**
 * Lets the site sign the member's orders from this device: the wallet signs a request for a key, which the site forwards to the exchange, and
 * stores the key. Returns the `context` that scripts pass to `platformClient` and should keep; null in a browser, which gets a cookie.
 * Throws a `RefusedError`.
 */
export async function enableTrading({ site, wallet, now = Date.now }: EnableTrading): Promise<string | null> {
  const { login } = await site.getTradingCredentials()
  const { chainId, host, path, nonce } = login
  const { address } = wallet
  const timestamp = String(Math.floor(now() / 1000))
  const typedData = loginTypedData({ chainId, address, host, method: 'POST', path, timestamp, nonce: BigInt(nonce) })
  const signature = await wallet.signTypedData(typedData as never)
  const { context } = await site.saveTradingCredentials({ body: { set: 'clob', address, timestamp, nonce, signature } })
  return context
}
