import { enableTrading as enable } from '@augury/client/enable-trading'
import { platformClient } from '@augury/client/platform'
import { signIn } from '@augury/client/sign-in'
import type { SiteWallet } from './site-wallet.ts'

/** The first two steps of a member: both ask the wallet. Loaded when somebody takes them, and not before. */

const STATEMENT = 'Sign in to trade. This proves that the wallet is yours; it moves no money.'

/** Signs a wallet in. Throws a `RefusedError`, or `SecondFactorNeeded` where the code of an authenticator is the next step. */
export const signInWith = (wallet: SiteWallet, chainId: number) => signIn({ url: location.origin, wallet, chainId, statement: STATEMENT })

/** Lets this device place orders without asking the wallet for each. Throws a `RefusedError`. */
export const enableTrading = (wallet: SiteWallet) => enable({ site: platformClient({ url: location.origin }), wallet })
