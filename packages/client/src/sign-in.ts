import type { User } from '@augury/wire/platform/user'
import type { Hex } from '@augury/wire/scalars'
import { createSiweMessage } from 'viem/siwe'
import type { Fetch } from './answer.ts'
import { type PlatformOptions, platformClient } from './platform.ts'

/** A wallet that signs texts: a viem account, or a few lines around a browser's. */
export interface MessageWallet {
  /** Checksummed. */
  address: Hex
  signMessage(text: { message: string }): Promise<Hex>
}

/** Proof of the second factor. */
export type SecondFactor = { code: string } | { recoveryCode: string }

/** Options of `signIn`. */
export interface SignInOptions extends Omit<PlatformOptions, 'token'> {
  wallet: MessageWallet
  /** Chain id of the site's exchange. */
  chainId: number
  /** Called only when the member has a second factor. */
  secondFactor?: () => Promise<SecondFactor>
  /** Text shown to the signer. */
  statement?: string
  /** Unix milliseconds. */
  now?: () => number
}

/** A signed-in member, with the token for `platformClient`. */
export interface SignedIn {
  user: User
  token: string
}

/** Thrown when the site requires a second factor and none was provided. */
export class SecondFactorNeeded extends Error {
  override readonly name = 'SecondFactorNeeded'
}

/** Signs a wallet in to a deployment. Throws a `RefusedError` or `SecondFactorNeeded`. */
export async function signIn({ wallet, chainId, secondFactor, statement, now = Date.now, ...options }: SignInOptions): Promise<SignedIn> {
  const site = platformClient({ ...options, fetch: withCookies(options.fetch ?? ((input, init) => fetch(input, init))) })
  const { nonce } = await site.issueNonce()
  const { host, origin } = new URL(options.url)
  const message = createSiweMessage({
    domain: host,
    address: wallet.address,
    uri: origin,
    version: '1',
    chainId,
    nonce,
    issuedAt: new Date(now()),
    ...(statement === undefined ? {} : { statement }),
  })
  const answer = await site.signIn({ body: { message, signature: await wallet.signMessage({ message }) } })
  if (!('twoFactorRedirect' in answer)) return answer
  if (!secondFactor) throw new SecondFactorNeeded('the second factor is on')
  return site.verifyTotp({ body: await secondFactor() })
}

/** Keeps the cookies that bind the steps of a sign-in together. Browsers do so themselves and hide them from scripts. */
function withCookies(send: Fetch): Fetch {
  const jar = new Map<string, string>()
  return async (input, init) => {
    const headers = new Headers(init.headers)
    if (jar.size > 0) headers.set('cookie', [...jar].map((pair) => pair.join('=')).join('; '))
    const response = await send(input, { ...init, headers })
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=;]+)=([^;]*)/.exec(line) ?? []
      if (name && value) jar.set(name, value)
    }
    return response
  }
}
