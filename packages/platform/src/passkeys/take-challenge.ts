import type { Assertion, Attestation } from '@augury/wire/platform/approval'
import { ServiceError } from '@augury/wire/service-error'
import type { Visit } from '../authorization/visit.ts'
import { takeChallenge } from '../identity/challenges.ts'
import { claimedChallenge } from '../identity/webauthn.ts'
import type { Site } from '../site/site.ts'

/** Uses up the challenge of this browser that a response names, and returns it with its purpose. Throws `passkey_refused`. */
export async function takeOwnChallenge(
  site: Site,
  visit: Visit,
  credential: Assertion | Attestation,
): Promise<{ challenge: Buffer; purpose: string }> {
  const challenge = claimedChallenge(credential)
  const browser = visit.cookie('signIn')
  const purpose = challenge && browser ? await takeChallenge(site.em(), challenge, { browser }, site.now()) : null
  if (!challenge || purpose === null) throw new ServiceError('passkey_refused')
  return { challenge, purpose }
}
