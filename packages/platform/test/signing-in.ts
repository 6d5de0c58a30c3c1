import type { FakeClock } from '@augury/testing/clock'
import { generateSync } from 'otplib'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { createSiweMessage } from 'viem/siwe'
import type { Admin, Visitor } from '../src/authorization/viewer.ts'
import { confirmTwoFactor, enrollTwoFactor } from '../src/identity/manage-two-factor.ts'
import { readSession } from '../src/identity/sessions.ts'
import { issueNonce, signIn } from '../src/identity/sign-in.ts'
import type { Site } from '../src/site/site.ts'
import { cookiesOf, visitWith } from './test-site.ts'

let wallets = 0

/** A new wallet. */
export const newWallet = (): PrivateKeyAccount => privateKeyToAccount(`0x${(++wallets).toString(16).padStart(64, '0')}`)

/** A browser with these cookies. */
export const visitor = (cookies: Record<string, string> = {}): Visitor => ({ kind: 'anonymous', visit: visitWith(cookies) })

/** A wallet's message to sign in with, for a nonce, and its signature. */
export async function signedMessage(site: Site, wallet: PrivateKeyAccount, nonce: string, statement = 'Sign in.') {
  const message = createSiweMessage({
    domain: 'site.test',
    address: wallet.address,
    statement,
    uri: 'https://site.test',
    version: '1',
    chainId: 80002,
    nonce,
    issuedAt: site.now(),
  })
  return { message, signature: await wallet.signMessage({ message }) }
}

/** The same for a new nonce, with the cookies of the browser that requested it. */
export async function signed(site: Site, wallet: PrivateKeyAccount) {
  const asking = visitor()
  const { nonce } = await issueNonce(site, asking, { body: {} })
  return { body: await signedMessage(site, wallet, nonce), cookies: cookiesOf(asking.visit) }
}

/** A new member with a session `token`. */
async function newMember(site: Site) {
  const wallet = newWallet()
  const { body, cookies } = await signed(site, wallet)
  const { token } = (await signIn(site, visitor(cookies), { body })) as { token: string }
  return { wallet, token }
}

/** A new admin with a session. */
export async function newAdmin(site: Site): Promise<Admin> {
  const { wallet, token } = await newMember(site)
  await site.em().execute('insert into admin_wallet (address, created_at) values (?, now())', [wallet.address.toLowerCase()])
  return (await readSession(site, token, visitWith())) as Admin
}

/** A member who is enrolling a second factor, to be confirmed by `code()`. */
export async function enrolling(site: Site, clock: FakeClock) {
  const { wallet, token } = await newMember(site)
  const member = (await readSession(site, token, visitWith()))!
  const { otpauthUri, recoveryCodes } = await enrollTwoFactor(site, member, { body: {} })
  const secret = new URL(otpauthUri).searchParams.get('secret')!
  const code = (steps = 0) => generateSync({ secret, epoch: Math.floor(clock.now() / 1000) + 30 * steps })
  return { wallet, member, recoveryCodes, code }
}

/** A member with the second factor on; the clock is past the used code. */
export async function enrolled(site: Site, clock: FakeClock) {
  const { wallet, member, recoveryCodes, code } = await enrolling(site, clock)
  await confirmTwoFactor(site, member, { body: { code: code() } })
  clock.advance(30_000)
  return { wallet, id: member.id, recoveryCodes, code }
}

/** The cookies of a browser after the first step of a sign-in with a second factor. */
export async function pending(site: Site, wallet: PrivateKeyAccount) {
  const { body, cookies } = await signed(site, wallet)
  const at = visitor(cookies)
  await signIn(site, at, { body })
  return cookiesOf(at.visit)
}
