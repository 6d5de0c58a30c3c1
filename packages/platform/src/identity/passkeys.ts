import { type PlatformTables, tables } from '@augury/domain/platform/tables'
import { isDuplicate } from '@augury/domain/refused'
import type { Assertion } from '@augury/wire/platform/approval'
import { ServiceError } from '@augury/wire/service-error'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Selectable } from 'kysely'
import { audit } from '../authorization/audit.ts'
import type { Visit } from '../authorization/visit.ts'
import { notify } from '../notifications/notify.ts'
import type { Site } from '../site/site.ts'
import { lockMember } from './challenges.ts'
import { type Registered, verifyAssertion } from './webauthn.ts'

type Row = Selectable<PlatformTables['passkey']>

/** Most passkeys of a member. */
export const PASSKEYS = 20

/** A member's passkeys, the oldest first. */
export const passkeysOf = (em: EntityManager, userId: string): Promise<Row[]> =>
  tables(em).selectFrom('passkey').selectAll().where('user_id', '=', userId).orderBy('created_at').orderBy('id').execute()

/** A passkey that was just used, and whose it is. */
export interface Used {
  userId: string
  passkeyId: string
}

/**
 * Checks an assertion whose challenge was taken, and moves the counter of its passkey on. A counter that went backwards means that the
 * credential was copied: the passkey is suspended, and its member notified. Throws `passkey_refused` and `passkey_suspended`.
 */
export async function usePasskey(site: Site, given: Assertion, challenge: Buffer, visit: Visit): Promise<Used> {
  const known = await tables(site.em()).selectFrom('passkey').selectAll().where('credential', '=', given.id).executeTakeFirst()
  const counter = known ? await verifyAssertion(site.settings, given, known, challenge) : null
  if (!known || counter === null) throw new ServiceError('passkey_refused')
  if (known.suspended_at !== null) throw new ServiceError('passkey_suspended')
  const now = site.now()
  const moved = await tables(site.em())
    .updateTable('passkey')
    .set({ counter, last_used_at: now })
    .where('id', '=', known.id)
    .where('suspended_at', 'is', null)
    .where((eb) => eb.or([eb('counter', '<', String(counter)), eb.and([eb('counter', '=', '0'), eb.val(counter === 0)])]))
    .returning('id')
    .execute()
  if (moved.length === 0) {
    await suspend(site, known, counter, visit)
    throw new ServiceError('passkey_suspended')
  }
  return { userId: known.user_id, passkeyId: known.id }
}

function suspend(site: Site, { id, user_id, name, counter }: Row, seen: number, visit: Visit): Promise<void> {
  const now = site.now()
  return site.em().transactional(async (em) => {
    const suspended = await tables(em)
      .updateTable('passkey')
      .set({ suspended_at: now })
      .where('id', '=', id)
      .where('suspended_at', 'is', null)
      .returning('id')
      .execute()
    if (suspended.length === 0) return
    const details = { id, counter: Number(counter), seen }
    await audit(em, { action: 'passkey_suspended', actor: null, subject: user_id, visit, details }, now)
    await notify(em, user_id, {
      source: `passkey_suspended:${id}`,
      category: 'system',
      kind: 'passkey_suspended',
      title: 'A passkey was suspended',
      description: `The counter of “${name}” went backwards, so a copy of it may be in use. Remove it, and add a new one.`,
      metadata: { name },
      link: { type: 'settings', target: 'security' },
      at: now,
    })
  })
}

/** Stores a new passkey of a member, who is notified unless the account was just opened with it. Throws `passkey_known` and `too_many_passkeys`. */
export async function storePasskey(
  em: EntityManager,
  userId: string,
  { publicKey, ...registered }: Registered,
  name: string,
  { visit, now, quiet = false }: { visit: Visit; now: Date; quiet?: boolean },
): Promise<void> {
  await lockMember(em, userId)
  if ((await passkeysOf(em, userId)).length >= PASSKEYS) throw new ServiceError('too_many_passkeys')
  try {
    const { id } = await tables(em)
      .insertInto('passkey')
      .values({ ...registered, public_key: publicKey, user_id: userId, name, created_at: now })
      .returning('id')
      .executeTakeFirstOrThrow()
    await audit(em, { action: 'passkey_added', actor: userId, subject: userId, visit, details: { id } }, now)
    if (quiet) return
    await notify(em, userId, {
      source: `passkey_added:${id}`,
      category: 'system',
      kind: 'passkey_added',
      title: 'A passkey was added',
      description: `“${name}” can sign you in now. If this was not you, remove it and end your other sessions.`,
      metadata: { name, client_address: visit.clientAddress },
      link: { type: 'settings', target: 'security' },
      at: now,
    })
  } catch (error) {
    if (isDuplicate(error)) throw new ServiceError('passkey_known', { cause: error })
    throw error
  }
}
