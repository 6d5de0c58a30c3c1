import type { Fetch } from '@augury/client/answer'
import { enableTrading as enable, signProxyWallet } from '@augury/client/enable-trading'
import { platformClient } from '@augury/client/platform'
import { signIn } from '@augury/client/sign-in'
import { siteNow, syncSiteClock } from '#lib/language/site-clock.ts'
import type { SiteWallet } from './site-wallet.ts'

/** Signing in and enabling trading with a wallet. Loaded on demand. */

const STATEMENT = 'Sign in to trade. This proves that the wallet is yours; it moves no money.'

/** Learns the server's time from each answer: what a wallet signs names the time, and the clock of a device may be wrong. */
const send: Fetch = async (input, init) => {
  const requestedAt = siteNow()
  const answer = await fetch(input, init)
  syncSiteClock(Date.parse(answer.headers.get('date') ?? ''), requestedAt)
  return answer
}

/** Signs a wallet in. Throws a `RefusedError`, or `SecondFactorNeeded` if a code of the authenticator is the next step. */
export const signInWith = (wallet: SiteWallet, chainId: number) =>
  signIn({ url: location.origin, wallet, chainId, statement: STATEMENT, fetch: send, now: siteNow })

/** Lets this device place orders without a signature for each. Throws a `RefusedError`. */
export const enableTrading = (wallet: SiteWallet) =>
  enable({ site: platformClient({ url: location.origin, fetch: send }), wallet, now: siteNow })

/** Registers the member's proxy wallet: what is left where trading was enabled before the exchange required one. Throws a `RefusedError`. */
export const registerProxyWallet = (wallet: SiteWallet, chainId: number) =>
  signProxyWallet({ site: platformClient({ url: location.origin, fetch: send }), wallet, chainId })
