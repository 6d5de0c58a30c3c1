import type { Assertion, Attestation } from '@augury/wire/platform/approval'
import type { CreationOptions, RequestOptions } from '@augury/wire/platform/passkeys'
import { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server'
import type { SiteSettings } from '../site/site.ts'
import { CHALLENGE_LIFE } from './challenges.ts'
import { ownOrigins } from './own-origins.ts'

/** Algorithms of keys that are accepted, by their numbers in COSE: Ed25519, ECDSA on P-256, RSA. */
const ALGORITHMS = [-8, -7, -257]

type Place = Pick<SiteSettings, 'origin' | 'mode' | 'passkeyRpId'>

/** A credential as it was registered. */
export interface Registered {
  credential: string
  publicKey: string
  counter: number
  transports: string
  synced: boolean
}

/** A stored credential, as far as an assertion is checked against it. */
export interface Known {
  credential: string
  public_key: string
  user_id: string
}

/** Domain that passkeys are bound to: `PASSKEY_RP_ID`, or the host of the site. */
export const relyingParty = ({ origin, passkeyRpId }: Place): string => passkeyRpId ?? new URL(origin).hostname

/** The handle by which an authenticator names an account: the bytes of the member's id. */
const handleOf = (userId: string): string => Buffer.from(userId.replaceAll('-', ''), 'hex').toString('base64url')

const descriptor = ({ credential, transports }: { credential: string; transports: string }) => ({
  type: 'public-key' as const,
  id: credential,
  ...(transports === '' ? {} : { transports: transports.split(',') }),
})

/** Options for making a passkey: discoverable, with the verification of the user, and without attestation. */
export const creationOptions = (
  place: Place,
  site: string,
  user: { id: string; name: string },
  challenge: Buffer,
  known: readonly { credential: string; transports: string }[],
): CreationOptions => ({
  challenge: challenge.toString('base64url'),
  rp: { id: relyingParty(place), name: site },
  user: { id: handleOf(user.id), name: user.name, displayName: user.name },
  pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
  timeout: CHALLENGE_LIFE,
  excludeCredentials: known.map(descriptor),
  authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
  attestation: 'none',
})

/** Options for using a passkey: one of those given, or any of this site. */
export const requestOptions = (
  place: Place,
  challenge: Buffer,
  allowed: readonly { credential: string; transports: string }[] = [],
): RequestOptions => ({
  challenge: challenge.toString('base64url'),
  rpId: relyingParty(place),
  timeout: CHALLENGE_LIFE,
  allowCredentials: allowed.map(descriptor),
  userVerification: 'required',
})

/** The challenge that a response says it signed; null where it says none. Nothing is proven yet. */
export function claimedChallenge({ response }: { response: { clientDataJSON: string } }): Buffer | null {
  const data = clientDataOf(response.clientDataJSON)
  return data && typeof data.challenge === 'string' ? Buffer.from(data.challenge, 'base64url') : null
}

function clientDataOf(text: string): Record<string, unknown> | null {
  try {
    const data: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    return typeof data === 'object' && data !== null ? (data as Record<string, unknown>) : null
  } catch {
    return null
  }
}

/** A page of another site that holds ours in a frame is never where a member signs in. */
const isFramed = (text: string): boolean => clientDataOf(text)?.crossOrigin === true

/** Checks a new credential against its challenge; null when anything of it is wrong. */
export async function verifyRegistration(place: Place, given: Attestation, challenge: Buffer): Promise<Registered | null> {
  if (isFramed(given.response.clientDataJSON)) return null
  const { transports = [], ...response } = given.response
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: { ...given, response: { ...response, transports: [] }, clientExtensionResults: {} },
      expectedChallenge: challenge.toString('base64url'),
      expectedOrigin: ownOrigins(place),
      expectedRPID: relyingParty(place),
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    })
    if (!verified) return null
    const { credential, credentialDeviceType } = registrationInfo
    return {
      credential: credential.id,
      publicKey: Buffer.from(credential.publicKey).toString('base64url'),
      counter: credential.counter,
      transports: transports.join(',').slice(0, 100),
      synced: credentialDeviceType === 'multiDevice',
    }
  } catch {
    return null // the library throws for everything that is wrong
  }
}

/**
 * Checks an assertion against a stored credential and its challenge. Returns the signature counter; null when anything is wrong. Whether the
 * counter went backwards is not looked at: that matters only once the signature is known to be right.
 */
export async function verifyAssertion(place: Place, given: Assertion, known: Known, challenge: Buffer): Promise<number | null> {
  const { userHandle, ...response } = given.response
  if (isFramed(response.clientDataJSON)) return null
  // A handle of another account would name the wrong member; one that is missing is fine, as the credential's id is unique.
  if (userHandle != null && userHandle !== handleOf(known.user_id)) return null
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...given, response, clientExtensionResults: {} },
      expectedChallenge: challenge.toString('base64url'),
      expectedOrigin: ownOrigins(place),
      expectedRPID: relyingParty(place),
      requireUserVerification: true,
      credential: { id: known.credential, publicKey: new Uint8Array(Buffer.from(known.public_key, 'base64url')), counter: 0 },
    })
    return verified ? authenticationInfo.newCounter : null
  } catch {
    return null
  }
}
