import { loginTypedData } from '@augury/signing/login'
import type { Wallet } from './api-key.ts'
import type { PlatformClient } from './platform.ts'

/** Who enables trading, and where. */
export interface EnableTrading {
  /** The site, signed in. */
  site: PlatformClient
  /** The wallet that signed in. */
  wallet: Wallet
  /** Unix milliseconds, at most 30 s away from the exchange's clock. */
  now?: () => number
}

/**
 * Lets the site sign the member's orders from this device: the wallet signs for a key, the site hands the signature to the exchange and
 * keeps the key. Returns what a script gives `platformClient` as `context`, and should keep; null in a browser, which has a cookie.
 * Throws a `RefusedError`.
 */
export async function enableTrading({ site, wallet, now = Date.now }: EnableTrading): Promise<string | null> {
  const { login } = await site.getTradingCredentials()
  const { chainId, host, path, nonce } = login
  const { address } = wallet
  const timestamp = String(Math.floor(now() / 1000))
  const asked = loginTypedData({ chainId, address, host, method: 'POST', path, timestamp, nonce: BigInt(nonce) })
  const signature = await wallet.signTypedData(asked as never)
  const { context } = await site.saveTradingCredentials({ body: { set: 'clob', address, timestamp, nonce, signature } })
  return context
}
