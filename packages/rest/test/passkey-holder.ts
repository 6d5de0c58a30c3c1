import { assert, type Kept, register, type Unusual } from '@augury/testing/authenticator'
import { type Answered, Browser } from './browser.ts'
import type { TestSite } from './test-site.ts'

const ORIGIN = 'https://site.test'
let names = 0

/** A browser of a member with a passkey. */
export interface Holder {
  browser: Browser
  kept: Kept
  user: { id: string; address: `0x${string}`; username: string }
  recoveryCodes: string[]
}

/** Answers the options for a new passkey. */
export async function newCredential(browser: Browser, wanted: object, unusual: Unusual = {}) {
  const { body } = await browser.post('/api/auth/passkeys/options', wanted)
  return register(body.creation, ORIGIN, unusual)
}

/** A new member who signed up with a passkey. Its counter counts when it starts above 0. */
export async function holder(at: TestSite, { counter = 0, username = `otter_${++names}` } = {}): Promise<Holder> {
  const browser = new Browser(at)
  const { credential, kept } = await newCredential(browser, { for: 'sign_up', username }, { counter })
  const { status, body } = await browser.post('/api/auth/passkeys/sign-up', { credential, name: 'Phone' })
  if (status !== 200) throw new Error(JSON.stringify(body))
  return { browser, kept, user: body.user, recoveryCodes: body.recoveryCodes }
}

/** Signs in with a passkey, in this browser. */
export async function signInBy(browser: Browser, kept: Kept, unusual: Unusual = {}): Promise<Answered> {
  const { body } = await browser.post('/api/auth/passkeys/options', { for: 'sign_in' })
  return browser.post('/api/auth/passkeys/sign-in', { credential: assert(kept, body.request, ORIGIN, unusual) })
}

/** The proof of an action by a passkey. */
export async function approvalBy(browser: Browser, kept: Kept, action: object, unusual: Unusual = {}) {
  const { body } = await browser.post('/api/auth/approvals', action)
  return { passkey: assert(kept, body.request, ORIGIN, unusual) }
}
