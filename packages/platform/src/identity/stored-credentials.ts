import type { CREDENTIAL_SETS } from '@augury/domain/platform/trading-credential.entity'
import type { ApiKey } from '@augury/signing/request-signer'
import type { EntityManager } from '@mikro-orm/postgresql'
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

interface Row {
  address: string
  key: string
  secret: string
  passphrase: string
}

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
  await em.execute(
    `insert into trading_credential (user_id, set, address, key, secret, passphrase, updated_at) values (?, ?, ?, ?, ?, ?, ?)
     on conflict (user_id, set) do update set address = excluded.address, key = excluded.key, secret = excluded.secret,
       passphrase = excluded.passphrase, updated_at = excluded.updated_at, broken_at = null`,
    [
      user,
      set,
      address.toLowerCase(),
      key,
      vault.seal(secret, credentialPlace(user, set, 'secret')),
      vault.seal(passphrase, credentialPlace(user, set, 'passphrase')),
      now,
    ],
  )
}

/**
 * The key that signs a member's orders, if this device may use it. Credentials that cannot be decrypted are marked, and the member is
 * notified.
 */
export async function usableCredentials(site: Site, member: Member): Promise<ApiKey | null> {
  if (member.visit.device === null) return null
  const [row]: Row[] = await site.em().execute(
    `select address, key, secret, passphrase from trading_credential where user_id = ? and set = 'clob' and broken_at is null
     and exists (select from trading_context where user_id = ? and context_hash = ?)`,
    [member.id, member.id, hashOf(member.visit.device)],
  )
  return row ? openRow(site, member, row) : null
}

/** The same on any device, for revoking them only. */
export async function credentialsToRevoke(site: Site, member: Member): Promise<ApiKey | null> {
  const [row]: Row[] = await site
    .em()
    .execute(`select address, key, secret, passphrase from trading_credential where user_id = ? and set = 'clob' and broken_at is null`, [
      member.id,
    ])
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
    const broken = await em.execute(
      `update trading_credential set broken_at = ? where user_id = ? and set = 'clob' and key = ? and broken_at is null returning key`,
      [now, id, key],
    )
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
  const rows: { set: CredentialSet; updated_at: string | Date; broken: boolean }[] = await em.execute(
    'select set, updated_at, broken_at is not null as broken from trading_credential where user_id = ?',
    [userId],
  )
  const of = (set: CredentialSet) => {
    const row = rows.find((each) => each.set === set)
    return { enabled: row !== undefined && !row.broken, updatedAt: row ? new Date(row.updated_at).toISOString() : null }
  }
  return { clob: of('clob'), relayer: of('relayer') }
}
