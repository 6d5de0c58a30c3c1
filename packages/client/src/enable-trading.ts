import { loginTypedData } from '@augury/signing/login'
import { createProxyTypedData } from '@augury/signing/proxy-wallet'
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
 * stores the key. Where the exchange requires a proxy wallet and the member has none, the wallet signs for that as well. It is safe to repeat.
 * Returns the `context` that scripts pass to `platformClient` and should keep; null in a browser, which gets a cookie.
 * Throws a `RefusedError`.
 */
export async function enableTrading({ site, wallet, now = Date.now }: EnableTrading): Promise<string | null> {
  const { login } = await site.getTradingCredentials()
  const { chainId, host, path, nonce } = login
  const { address } = wallet
  const timestamp = String(Math.floor(now() / 1000))
  const typedData = loginTypedData({ chainId, address, host, method: 'POST', path, timestamp, nonce: BigInt(nonce) })
  const signature = await wallet.signTypedData(typedData as never)
  const saved = await site.saveTradingCredentials({ body: { set: 'clob', address, timestamp, nonce, signature } })
  if (saved.proxy_wallet_missing) await signProxyWallet({ site, wallet, chainId })
  return saved.context
}

/**
 * Registers the member's proxy wallet at the exchange by the wallet's signature: what is left to do where trading was enabled before the
 * exchange required one. Throws a `RefusedError`.
 */
export async function signProxyWallet({
  site,
  wallet,
  chainId,
}: Pick<EnableTrading, 'site' | 'wallet'> & { chainId: number }): Promise<void> {
  const signature = await wallet.signTypedData(createProxyTypedData(chainId) as never)
  await site.signProxyWallet({ body: { signature } })
}
