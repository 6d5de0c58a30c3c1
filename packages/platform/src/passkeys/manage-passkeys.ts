import { tables } from '@augury/domain/platform/tables'
import type { Input, Output } from '@augury/wire/operation'
import type { passkeyOperations, WaysIn } from '@augury/wire/platform/passkeys'
import { ServiceError } from '@augury/wire/service-error'
import { audit } from '../authorization/audit.ts'
import type { Member } from '../authorization/viewer.ts'
import { hasPasskey, requireApproval } from '../identity/approval.ts'
import { lockMember, takeChallenge } from '../identity/challenges.ts'
import { storePasskey } from '../identity/passkeys.ts'
import { endOtherSessions } from '../identity/sessions.ts'
import { claimedChallenge, verifyRegistration } from '../identity/webauthn.ts'
import { notify } from '../notifications/notify.ts'
import type { Site } from '../site/site.ts'
import { PURPOSES } from './options.ts'
import { countCodes, renewCodes } from './recovery-codes.ts'
import { UNNAMED } from './sign-up.ts'
import { countOtherWays, waysInOf } from './ways-in.ts'

type Operations = typeof passkeyOperations

/**
 * Adds a passkey, with a proof by a way in that the member has. Throws the refusals of the proof, `passkey_refused`, `passkey_known` and
 * `too_many_passkeys`.
 */
export async function addPasskey(
  site: Site,
  member: Member,
  { body }: Pick<Input<Operations['addPasskey']>, 'body'>,
): Promise<Output<Operations['addPasskey']>> {
  await requireApproval(site, member, { action: 'add_passkey' }, body.approval)
  const challenge = claimedChallenge(body.credential)
  const purpose = challenge && (await takeChallenge(site.em(), challenge, { session: member.session }, site.now()))
  if (!challenge || purpose !== PURPOSES.add(member.id)) throw new ServiceError('passkey_refused')
  const registered = await verifyRegistration(site.settings, body.credential, challenge)
  if (!registered) throw new ServiceError('passkey_refused')
  const now = site.now()
  return site.em().transactional(async (em) => {
    await storePasskey(em, member.id, registered, body.name ?? UNNAMED, { visit: member.visit, now })
    const recoveryCodes = (await countCodes(em, member.id)) === 0 ? await renewCodes(em, member.id) : []
    return { ...(await waysInOf(em, member.id)), recoveryCodes }
  })
}

/** Renames a passkey of the member. Throws `passkey_not_found`, also for another member's. */
export async function renamePasskey(
  site: Site,
  member: Member,
  { params, body }: Pick<Input<Operations['renamePasskey']>, 'params' | 'body'>,
): Promise<WaysIn> {
  const renamed = await tables(site.em())
    .updateTable('passkey')
    .set({ name: body.name })
    .where('id', '=', params.id)
    .where('user_id', '=', member.id)
    .returning('id')
    .execute()
  if (renamed.length === 0) throw new ServiceError('passkey_not_found')
  return waysInOf(site.em(), member.id)
}

/** Removes a passkey of the member and ends the other sessions. Throws the refusals of the proof, `passkey_not_found` and `last_way_in`. */
export async function removePasskey(
  site: Site,
  member: Member,
  { params, body }: Pick<Input<Operations['removePasskey']>, 'params' | 'body'>,
): Promise<WaysIn> {
  await requireApproval(site, member, { action: 'remove_passkey', id: params.id }, body.approval)
  const now = site.now()
  return site.em().transactional(async (em) => {
    await lockMember(em, member.id)
    if ((await countOtherWays(em, member.id, { passkey: params.id })) === 0) throw new ServiceError('last_way_in')
    const removed = await tables(em)
      .deleteFrom('passkey')
      .where('id', '=', params.id)
      .where('user_id', '=', member.id)
      .returning('name')
      .executeTakeFirst()
    if (!removed) throw new ServiceError('passkey_not_found')
    await endOtherSessions(em, member.id, member.session)
    const about = { actor: member.id, subject: member.id, visit: member.visit }
    await audit(em, { action: 'passkey_removed', ...about, details: { id: params.id } }, now)
    await notify(em, member.id, {
      source: `passkey_removed:${params.id}`,
      category: 'system',
      kind: 'passkey_removed',
      title: 'A passkey was removed',
      description: `“${removed.name}” no longer signs you in, and other devices were signed out.`,
      metadata: { name: removed.name },
      link: { type: 'settings', target: 'security' },
      at: now,
    })
    return waysInOf(em, member.id)
  })
}

/** Replaces the recovery codes of a member with a passkey. Throws the refusals of the proof and `passkey_missing`. */
export async function renewAccountCodes(
  site: Site,
  member: Member,
  { body }: Pick<Input<Operations['renewAccountCodes']>, 'body'>,
): Promise<Output<Operations['renewAccountCodes']>> {
  if (!(await hasPasskey(site.em(), member.id))) throw new ServiceError('passkey_missing')
  await requireApproval(site, member, { action: 'renew_codes' }, body.approval)
  const now = site.now()
  return site.em().transactional(async (em) => {
    await lockMember(em, member.id)
    const recoveryCodes = await renewCodes(em, member.id)
    await audit(em, { action: 'recovery_codes_renewed', actor: member.id, subject: member.id, visit: member.visit }, now)
    await notify(em, member.id, {
      source: `recovery_codes_renewed:${now.toISOString()}`,
      category: 'system',
      kind: 'recovery_codes_renewed',
      title: 'Your recovery codes were replaced',
      description: 'The codes from before no longer work. If this was not you, end your other sessions and replace them again.',
      link: { type: 'settings', target: 'security' },
      at: now,
    })
    return { recoveryCodes }
  })
}
