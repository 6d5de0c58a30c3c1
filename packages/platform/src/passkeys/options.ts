import { randomUUID } from 'node:crypto'
import { tables } from '@augury/domain/platform/tables'
import type { Input, Output } from '@augury/wire/operation'
import type { passkeyOperations } from '@augury/wire/platform/passkeys'
import { ServiceError } from '@augury/wire/service-error'
import type { EntityManager } from '@mikro-orm/postgresql'
import { isReservedName } from '../account/reserved-names.ts'
import type { Viewer } from '../authorization/viewer.ts'
import { newToken } from '../crypto/token.ts'
import { createChallenge, type Holder } from '../identity/challenges.ts'
import { PASSKEYS, passkeysOf } from '../identity/passkeys.ts'
import { creationOptions, requestOptions } from '../identity/webauthn.ts'
import type { Site } from '../site/site.ts'
import { siteBrand } from '../themes/site-brand.ts'
import { findByCode } from './recovery-codes.ts'

type Operations = typeof passkeyOperations
type Answer = Output<Operations['passkeyOptions']>

/** What the answer to a challenge of this browser may do. */
export const PURPOSES = {
  signUp: (id: string, username: string) => `sign-up ${id} ${username}`,
  signIn: 'sign-in',
  recovery: (userId: string) => `recovery ${userId}`,
  add: (userId: string) => `add ${userId}`,
} as const

/** Issues a challenge for one ceremony, with its options. Leaves the cookie that binds it to the browser. */
export async function passkeyOptions(
  site: Site,
  viewer: Viewer,
  { body }: Pick<Input<Operations['passkeyOptions']>, 'body'>,
): Promise<Answer> {
  const holder = holderOf(viewer)
  switch (body.for) {
    case 'sign_in':
      return { request: requestOptions(site.settings, await createChallenge(site.em(), holder, PURPOSES.signIn, site.now())) }
    case 'sign_up':
      return signUpOptions(site, holder, body.username)
    case 'recovery': {
      const userId = await findByCode(site.em(), body.code, site.now())
      return optionsOf(site, holder, userId, PURPOSES.recovery(userId))
    }
    case 'add': {
      if (viewer.kind === 'anonymous') throw new ServiceError('unauthenticated')
      return optionsOf(site, { session: viewer.session }, viewer.id, PURPOSES.add(viewer.id))
    }
  }
}

/** The browser's cookie, which it gets if it has none. */
function holderOf({ visit }: Viewer): Holder {
  const browser = visit.cookie('signIn') ?? newToken()
  visit.leave('signIn', browser)
  return { browser }
}

async function signUpOptions(site: Site, holder: Holder, username: string): Promise<Answer> {
  const { name } = await siteBrand(site)
  if (isReservedName(username, name)) throw new ServiceError('username_reserved')
  if (await isTaken(site.em(), username)) throw new ServiceError('username_taken')
  // Of this process, not the database: the authenticator stores it before there is a member.
  const id = randomUUID()
  const challenge = await createChallenge(site.em(), holder, PURPOSES.signUp(id, username), site.now())
  return { creation: creationOptions(site.settings, name, { id, name: username }, challenge, []) }
}

async function optionsOf(site: Site, holder: Holder, userId: string, purpose: string): Promise<Answer> {
  const [{ name }, known, user] = await Promise.all([
    siteBrand(site),
    passkeysOf(site.em(), userId),
    tables(site.em()).selectFrom('users').select(['username', 'address']).where('id', '=', userId).executeTakeFirstOrThrow(),
  ])
  if (known.length >= PASSKEYS) throw new ServiceError('too_many_passkeys')
  const challenge = await createChallenge(site.em(), holder, purpose, site.now())
  return { creation: creationOptions(site.settings, name, { id: userId, name: user.username ?? user.address }, challenge, known) }
}

async function isTaken(em: EntityManager, username: string): Promise<boolean> {
  const same = await tables(em)
    .selectFrom('users')
    .select('id')
    .where((eb) => eb(eb.fn('lower', ['username']), '=', username.toLowerCase()))
    .execute()
  return same.length > 0
}
