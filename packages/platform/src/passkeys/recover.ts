import { tables } from '@augury/domain/platform/tables'
import type { Input, Output } from '@augury/wire/operation'
import type { passkeyOperations } from '@augury/wire/platform/passkeys'
import { ServiceError } from '@augury/wire/service-error'
import type { EntityManager } from '@mikro-orm/postgresql'
import { audit } from '../authorization/audit.ts'
import type { Viewer } from '../authorization/viewer.ts'
import type { Visit } from '../authorization/visit.ts'
import { storePasskey } from '../identity/passkeys.ts'
import { verifyRegistration } from '../identity/webauthn.ts'
import { notify } from '../notifications/notify.ts'
import type { Site } from '../site/site.ts'
import { PURPOSES } from './options.ts'
import { countCodes, useCode } from './recovery-codes.ts'
import { begin } from './sign-in.ts'
import { UNNAMED } from './sign-up.ts'
import { takeOwnChallenge } from './take-challenge.ts'

type Operations = typeof passkeyOperations

/**
 * Uses a recovery code up and adds a new passkey to its account. Every session and every trading device of the account ends, so that money
 * leaves only after a day. Throws `recovery_code_invalid`, `passkey_refused`, `passkey_known` and `too_many_passkeys`.
 */
export async function recoverAccount(
  site: Site,
  viewer: Viewer,
  { body }: Pick<Input<Operations['recoverAccount']>, 'body'>,
): Promise<Output<Operations['recoverAccount']>> {
  const { visit } = viewer
  const { challenge, purpose } = await takeOwnChallenge(site, visit, body.credential)
  const registered = await verifyRegistration(site.settings, body.credential, challenge)
  if (!registered) throw new ServiceError('passkey_refused')
  const now = site.now()
  return site.em().transactional(async (em) => {
    const { userId, emailed } = await useCode(em, body.code, now)
    if (purpose !== PURPOSES.recovery(userId)) throw new ServiceError('passkey_refused')
    await storePasskey(em, userId, registered, body.name ?? UNNAMED, { visit, now })
    await tables(em).deleteFrom('session').where('user_id', '=', userId).execute()
    await tables(em).deleteFrom('trading_context').where('user_id', '=', userId).execute()
    await noteRecovery(em, userId, { visit, emailed }, now)
    return begin(site, em, userId, viewer)
  })
}

async function noteRecovery(em: EntityManager, userId: string, { visit, emailed }: { visit: Visit; emailed: boolean }, now: Date) {
  const left = await countCodes(em, userId)
  await audit(em, { action: 'account_recovered', actor: userId, subject: userId, visit, details: { emailed, left } }, now)
  await notify(em, userId, {
    source: `account_recovered:${now.toISOString()}`,
    category: 'system',
    kind: emailed ? 'recovered_by_email' : 'recovery_code_used',
    title: emailed ? 'The account was recovered by email' : 'A recovery code was used',
    description: `A new passkey was added, and all other devices were signed out. You have ${left} recovery codes left. If this was not you, remove the passkey.`,
    metadata: { left, client_address: visit.clientAddress },
    link: { type: 'settings', target: 'security' },
    at: now,
  })
}
