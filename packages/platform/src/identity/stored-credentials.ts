import { type PlatformTables, tables } from '@augury/domain/platform/tables'
import type { CREDENTIAL_SETS } from '@augury/domain/platform/trading-credential.entity'
import type { ApiKey } from '@augury/signing/request-signer'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Selectable } from 'kysely'
import { audit } from '../authorization/audit.ts'
import type { Member } from '../authorization/viewer.ts'
import { hashOf } from '../crypto/token.ts'
import { type Vault, VaultError } from '../crypto/vault.ts'
import { notify } from '../notifications/notify.ts'
import type { Site } from '../site/site.ts'

/** What a set of credentials is for. */
export type CredentialSet = (typeof CREDENTIAL_SETS)[number]

/** The vault entry of a part of a user's credentials. */
export const credentialPlace = (user: string, set: CredentialSet, field: 'secret' | 'passphrase') => ({
  user,
  field: `trading_credential.${set}.${field}`,
})

/** The member's credentials for the exchange that still open. */
const usable = (em: EntityManager, userId: string) =>
  tables(em)
    .selectFrom('trading_credential')
    .select(['address', 'key', 'secret', 'passphrase'])
    .where('user_id', '=', userId)
    .where('set', '=', 'clob')
    .where('broken_at', 'is', null)

type Row = Pick<Selectable<PlatformTables['trading_credential']>, 'address' | 'key' | 'secret' | 'passphrase'>

/** Encrypts credentials and stores them in place of the earlier ones of the same set. */
export async function storeCredentials(
  em: EntityManager,
  vault: Vault,
  user: string,
  set: CredentialSet,
  given: ApiKey,
  now: Date,
): Promise<void> {
  const { address, key, secret, passphrase } = given
  const stored = {
    address: address.toLowerCase(),
    key,
    secret: vault.seal(secret, credentialPlace(user, set, 'secret')),
    passphrase: vault.seal(passphrase, credentialPlace(user, set, 'passphrase')),
    updated_at: now,
  }
  await tables(em)
    .insertInto('trading_credential')
    .values({ user_id: user, set, ...stored })
    .onConflict((conflict) => conflict.columns(['user_id', 'set']).doUpdateSet({ ...stored, broken_at: null }))
    .execute()
}

/**
 * The key that signs a member's orders, if this device may use it. Credentials that cannot be decrypted are marked, and the member is
 * notified.
 */
export async function usableCredentials(site: Site, member: Member): Promise<ApiKey | null> {
  if (member.visit.device === null) return null
  const row = await usable(site.em(), member.id)
    .where((eb) =>
      eb.exists(eb.selectFrom('trading_context').where('user_id', '=', member.id).where('context_hash', '=', hashOf(member.visit.device!))),
    )
    .executeTakeFirst()
  return row ? openRow(site, member, row) : null
}

/** The same on any device, for revoking them only. */
export async function credentialsToRevoke(site: Site, member: Member): Promise<ApiKey | null> {
  const row = await usable(site.em(), member.id).executeTakeFirst()
  return row ? openRow(site, member, row) : null
}

async function openRow(site: Site, member: Member, { address, key, secret, passphrase }: Row): Promise<ApiKey | null> {
  try {
    const open = (sealed: string, field: 'secret' | 'passphrase') => site.vault.open(sealed, credentialPlace(member.id, 'clob', field))
    return { address, key, secret: open(secret, 'secret'), passphrase: open(passphrase, 'passphrase') }
  } catch (error) {
    if (!(error instanceof VaultError)) throw error
    await markBroken(site, member, key)
    return null
  }
}

/** Marks unusable credentials so that they are not tried again; the member is notified once. */
export async function markBroken(site: Site, { id, visit }: Member, key: string): Promise<void> {
  const now = site.now()
  await site.em().transactional(async (em) => {
    const broken = await tables(em)
      .updateTable('trading_credential')
      .set({ broken_at: now })
      .where('user_id', '=', id)
      .where('set', '=', 'clob')
      .where('key', '=', key)
      .where('broken_at', 'is', null)
      .returning('key')
      .execute()
    if (broken.length === 0) return
    await audit(em, { action: 'trading_broken', actor: null, subject: id, visit, details: { key } }, now)
    await notify(em, id, {
      source: `trading_broken:${now.toISOString()}`,
      category: 'system',
      kind: 'trading_broken',
      title: 'Enable trading again',
      description: 'Your trading credentials can no longer be used. Your orders and balances are as they were.',
      link: { type: 'settings', target: 'trading' },
      at: now,
    })
  })
}

/** The sets that a member has, as shown to the member. */
export async function storedSets(
  em: EntityManager,
  userId: string,
): Promise<Record<CredentialSet, { enabled: boolean; updatedAt: string | null }>> {
  const rows = await tables(em)
    .selectFrom('trading_credential')
    .select(['set', 'updated_at', 'broken_at'])
    .where('user_id', '=', userId)
    .execute()
  const of = (set: CredentialSet) => {
    const row = rows.find((each) => each.set === set)
    return { enabled: row !== undefined && row.broken_at === null, updatedAt: row ? row.updated_at.toISOString() : null }
  }
  return { clob: of('clob'), relayer: of('relayer') }
}
