import type { Input, Output } from '@augury/wire/operation'
import type { passkeyOperations } from '@augury/wire/platform/passkeys'
import { ServiceError } from '@augury/wire/service-error'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Viewer } from '../authorization/viewer.ts'
import { hasSecondFactor } from '../identity/members.ts'
import { usePasskey } from '../identity/passkeys.ts'
import { endSession, startSession } from '../identity/sessions.ts'
import { expectSecondFactor } from '../identity/sign-in.ts'
import { userView } from '../identity/user-view.ts'
import type { Site } from '../site/site.ts'
import { PURPOSES } from './options.ts'
import { takeOwnChallenge } from './take-challenge.ts'

type Operations = typeof passkeyOperations
type Answer = Output<Operations['passkeySignIn']>

/** Signs in with a discoverable passkey. The attempt uses its challenge up. Throws `passkey_refused` and `passkey_suspended`. */
export async function passkeySignIn(
  site: Site,
  viewer: Viewer,
  { body }: Pick<Input<Operations['passkeySignIn']>, 'body'>,
): Promise<Answer> {
  const { challenge, purpose } = await takeOwnChallenge(site, viewer.visit, body.credential)
  if (purpose !== PURPOSES.signIn) throw new ServiceError('passkey_refused')
  const { userId } = await usePasskey(site, body.credential, challenge, viewer.visit)
  return site.em().transactional((em) => begin(site, em, userId, viewer))
}

/** Begins the session of a member who was just verified, or asks for the second factor. The browser's earlier session ends. */
export async function begin(site: Site, em: EntityManager, userId: string, viewer: Viewer): Promise<Answer> {
  const now = site.now()
  const twoFactor = await hasSecondFactor(em, userId)
  if (viewer.kind === 'member') await endSession(em, viewer.id, viewer.session)
  viewer.visit.take('signIn')
  if (twoFactor) {
    await expectSecondFactor(em, userId, viewer, now)
    return { twoFactorRedirect: true }
  }
  const token = await startSession(em, userId, viewer.visit, now)
  return { user: await userView(site, em, userId), token }
}
