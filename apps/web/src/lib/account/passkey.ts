import { RefusedError } from '@augury/client/answer'
import { SecondFactorNeeded } from '@augury/client/sign-in'
import type { Approval, Assertion, Attestation } from '@augury/wire/platform/approval'
import type { Action, CreationOptions, RequestOptions } from '@augury/wire/platform/passkeys'
import { browserSupportsWebAuthnAutofill, startAuthentication, startRegistration, WebAuthnAbortService } from '@simplewebauthn/browser'
import { siteMutation } from '#lib/failure/site-call.ts'
import { m } from '#lib/paraglide/messages.js'
import { WalletDeclined } from '#lib/wallet/site-wallet.ts'
import { deviceName } from './device-name.ts'

/** Ceremonies of passkeys in this browser. Loaded on demand. Each throws `WalletDeclined` when the person or the device says no. */

/** What a passkey of this device is called until its owner renames it. */
function nameOfDevice(): string {
  const known = deviceName(navigator.userAgent)
  return known ? `${known.browser}, ${known.system}` : 'Passkey'
}

/** Words for a ceremony that ended without a passkey. */
function declined(error: unknown): WalletDeclined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED') return new WalletDeclined(m.passkey_here_already())
  const isChoice = error instanceof Error && ['NotAllowedError', 'AbortError'].includes(error.name)
  return new WalletDeclined(isChoice ? m.passkey_cancelled() : m.passkey_unavailable())
}

async function create(options: CreationOptions): Promise<Attestation> {
  try {
    return (await startRegistration({ optionsJSON: options as Parameters<typeof startRegistration>[0]['optionsJSON'] })) as Attestation
  } catch (error) {
    throw declined(error)
  }
}

async function get(options: RequestOptions, autofill = false): Promise<Assertion> {
  try {
    const optionsJSON = options as Parameters<typeof startAuthentication>[0]['optionsJSON']
    return (await startAuthentication({ optionsJSON, useBrowserAutofill: autofill })) as Assertion
  } catch (error) {
    throw declined(error)
  }
}

type Wanted = Parameters<typeof siteMutation<'passkeyOptions'>>[1]['body']

async function optionsFor(wanted: Wanted): Promise<CreationOptions & RequestOptions> {
  const answer = await siteMutation('passkeyOptions', { body: wanted })
  return ('creation' in answer ? answer.creation : answer.request) as CreationOptions & RequestOptions
}

/** Opens an account under a name. Returns its recovery codes. */
export async function signUp(username: string): Promise<string[]> {
  const credential = await create(await optionsFor({ for: 'sign_up', username }))
  return (await siteMutation('passkeySignUp', { body: { credential, name: nameOfDevice() } })).recoveryCodes
}

/** Signs in with a passkey that the person chooses. Throws `SecondFactorNeeded`. */
export async function signInByPasskey(): Promise<void> {
  await finish(await get(await optionsFor({ for: 'sign_in' })))
}

/**
 * Offers the passkeys of this device in the autofill of a field of the page, where the browser has that. Resolves with whether one was chosen and
 * signed in; other ceremonies end it.
 */
export async function signInByAutofill(): Promise<boolean> {
  if (!(await browserSupportsWebAuthnAutofill())) return false
  const credential = await get(await optionsFor({ for: 'sign_in' }), true).catch(() => null)
  if (credential) await finish(credential)
  return credential !== null
}

/** Ends an offer in the autofill. */
export const endAutofill = (): void => WebAuthnAbortService.cancelCeremony()

async function finish(credential: Assertion): Promise<void> {
  const answer = await siteMutation('passkeySignIn', { body: { credential } })
  if ('twoFactorRedirect' in answer) throw new SecondFactorNeeded('the second factor is on')
}

/** Adds a new passkey with a recovery code, and signs in. Throws `SecondFactorNeeded`. */
export async function recover(code: string): Promise<void> {
  const credential = await create(await optionsFor({ for: 'recovery', code }))
  const answer = await siteMutation('recoverAccount', { body: { code, credential, name: nameOfDevice() } })
  if ('twoFactorRedirect' in answer) throw new SecondFactorNeeded('the second factor is on')
}

/** Proves one action by a passkey of the account. */
export async function approve(action: Action): Promise<Approval> {
  const { request } = await siteMutation('askApproval', { body: action })
  if (!request) throw new WalletDeclined(m.passkey_none())
  return { passkey: await get(request) }
}

/** Makes a passkey for the account that is signed in, and adds it with a proof of another way in. */
export async function addPasskey(proof: (action: Action) => Promise<Approval>) {
  const approval = await proof({ action: 'add_passkey' })
  const credential = await create(await optionsFor({ for: 'add' }))
  return siteMutation('addPasskey', { body: { credential, name: nameOfDevice(), approval } })
}

/** Enables trading on this device for an account whose key the site keeps; after another sign-in where the last one is too old. */
export async function enableOwnKey(): Promise<void> {
  try {
    await siteMutation('enableTrading', {})
  } catch (error) {
    if (!(error instanceof RefusedError) || error.code !== 'step_up_required') throw error
    await signInByPasskey()
    await siteMutation('enableTrading', {})
  }
}
