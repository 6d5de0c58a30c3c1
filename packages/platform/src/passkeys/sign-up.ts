import { tables } from '@augury/domain/platform/tables'
import { isDuplicate } from '@augury/domain/refused'
import type { Input, Output } from '@augury/wire/operation'
import type { passkeyOperations } from '@augury/wire/platform/passkeys'
import { ServiceError } from '@augury/wire/service-error'
import type { EntityManager } from '@mikro-orm/postgresql'
import { audit } from '../authorization/audit.ts'
import type { Viewer } from '../authorization/viewer.ts'
import { newAccountKey, storeAccountKey } from '../identity/account-key.ts'
import { joinByReferral } from '../identity/join.ts'
import { newAffiliateCode } from '../identity/members.ts'
import { storePasskey } from '../identity/passkeys.ts'
import { endSession, startSession } from '../identity/sessions.ts'
import { userView } from '../identity/user-view.ts'
import { verifyRegistration } from '../identity/webauthn.ts'
import type { Site } from '../site/site.ts'

import { renewCodes } from './recovery-codes.ts'
import { takeOwnChallenge } from './take-challenge.ts'

type Operations = typeof passkeyOperations

/** Name of a passkey for which the browser proposed none. */
export const UNNAMED = 'Passkey'

/**
 * Opens an account with a new passkey. Its address is that of a key that the site makes and keeps sealed (ADR 0043). The browser's earlier
 * session ends. Throws `passkey_refused`, `passkey_known` and `username_taken`.
 */
export async function passkeySignUp(
  site: Site,
  viewer: Viewer,
  { body }: Pick<Input<Operations['passkeySignUp']>, 'body'>,
): Promise<Output<Operations['passkeySignUp']>> {
  const { visit } = viewer
  const { challenge, purpose } = await takeOwnChallenge(site, visit, body.credential)
  const [, id, username] = /^sign-up ([0-9a-f-]{36}) (\w+)$/.exec(purpose) ?? []
  if (!id || !username) throw new ServiceError('passkey_refused')
  const registered = await verifyRegistration(site.settings, body.credential, challenge)
  if (!registered) throw new ServiceError('passkey_refused')
  const now = site.now()
  return site.em().transactional(async (em) => {
    await createMember(site, em, { id, username }, now)
    await storePasskey(em, id, registered, body.name ?? UNNAMED, { visit, now, quiet: true })
    await audit(em, { action: 'member_created', actor: id, subject: id, visit, details: { by: 'passkey' } }, now)
    await joinByReferral(em, id, viewer, now)
    if (viewer.kind === 'member') await endSession(em, viewer.id, viewer.session)
    visit.take('signIn')
    const recoveryCodes = await renewCodes(em, id)
    const token = await startSession(em, id, visit, now)
    return { user: await userView(site, em, id), token, recoveryCodes }
  })
}

async function createMember(site: Site, em: EntityManager, { id, username }: { id: string; username: string }, now: Date): Promise<void> {
  const { secret, address } = newAccountKey()
  try {
    await tables(em)
      .insertInto('users')
      .values({ id, address, username, affiliate_code: newAffiliateCode(), created_at: now, updated_at: now })
      .execute()
  } catch (error) {
    if (isDuplicate(error)) throw new ServiceError('username_taken', { cause: error })
    throw error
  }
  await storeAccountKey(em, site.vault, id, secret, now)
}
