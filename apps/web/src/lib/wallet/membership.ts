import type { Fetch } from '@augury/client/answer'
import { enableTrading as enable, signProxyWallet } from '@augury/client/enable-trading'
import { platformClient } from '@augury/client/platform'
import { signIn } from '@augury/client/sign-in'
import type { Action } from '@augury/wire/platform/passkeys'
import { createSiweMessage } from 'viem/siwe'
import { siteMutation } from '#lib/failure/site-call.ts'
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

/** A message of a wallet for this site, by its nonce and with a statement, as the server verifies it. */
async function signedBy(wallet: SiteWallet, chainId: number, { nonce, statement }: { nonce: string; statement: string }) {
  const { host, origin } = location
  const place = { domain: host, uri: origin, version: '1', chainId } as const
  const message = createSiweMessage({ ...place, address: wallet.address, nonce, statement, issuedAt: new Date(siteNow()) })
  return { message, signature: await wallet.signMessage({ message }) }
}

/** Proves one action by a wallet of the account. */
export async function approveWith(wallet: SiteWallet, action: Action, chainId: number) {
  return signedBy(wallet, chainId, await siteMutation('askApproval', { body: action }))
}

/** Proves that a wallet is in the hands of the member who links it. */
export async function linkProof(wallet: SiteWallet, chainId: number) {
  const { nonce } = await siteMutation('issueNonce', { body: { walletAddress: wallet.address } })
  return signedBy(wallet, chainId, { nonce, statement: 'Link this wallet to my account. This moves no money.' })
}

/** Lets this device place orders without a signature for each. Throws a `RefusedError`. */
export const enableTrading = (wallet: SiteWallet) =>
  enable({ site: platformClient({ url: location.origin, fetch: send }), wallet, now: siteNow })

/** Registers the member's proxy wallet: what is left where trading was enabled before the exchange required one. Throws a `RefusedError`. */
export const registerProxyWallet = (wallet: SiteWallet, chainId: number) =>
  signProxyWallet({ site: platformClient({ url: location.origin, fetch: send }), wallet, chainId })
