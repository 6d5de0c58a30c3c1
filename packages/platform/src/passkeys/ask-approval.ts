import { DecimalError } from '@augury/units/decimal'
import type { Output } from '@augury/wire/operation'
import type { Action, passkeyOperations } from '@augury/wire/platform/passkeys'
import { ServiceError } from '@augury/wire/service-error'
import type { Member } from '../authorization/viewer.ts'
import { statementOf } from '../identity/approval.ts'
import { createChallenge, nonceOf } from '../identity/challenges.ts'
import { passkeysOf } from '../identity/passkeys.ts'
import { requestOptions } from '../identity/webauthn.ts'
import type { Site } from '../site/site.ts'

/** Issues a challenge for the proof of one action in this session. Throws `invalid_amount`. */
export async function askApproval(
  site: Site,
  member: Member,
  { body }: { body: Action },
): Promise<Output<typeof passkeyOperations.askApproval>> {
  const statement = readable(body)
  const challenge = await createChallenge(site.em(), { session: member.session }, statement, site.now())
  const passkeys = (await passkeysOf(site.em(), member.id)).filter(({ suspended_at }) => suspended_at === null)
  return {
    statement,
    nonce: nonceOf(challenge),
    request: passkeys.length === 0 ? null : requestOptions(site.settings, challenge, passkeys),
  }
}

function readable(action: Action): string {
  try {
    return statementOf(action)
  } catch (error) {
    throw error instanceof DecimalError ? new ServiceError('invalid_amount', { cause: error }) : error
  }
}
