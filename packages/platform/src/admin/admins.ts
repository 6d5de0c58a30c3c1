import { lockName, tables } from '@augury/domain/platform/tables'
import type { Output } from '@augury/wire/operation'
import type { adminAccessOperations } from '@augury/wire/platform/admin-access'
import { ServiceError } from '@augury/wire/service-error'
import type { EntityManager } from '@mikro-orm/postgresql'
import { getAddress } from 'viem'
import { audit } from '../authorization/audit.ts'
import { runSensitive } from '../authorization/run-as-admin.ts'
import { hasTwoAdmins } from '../authorization/second-admin.ts'
import type { Admin, Member } from '../authorization/viewer.ts'
import { hashOf, newToken } from '../crypto/token.ts'
import { lockSettings } from '../settings/site-settings.ts'
import type { Platform } from '../site/platform.ts'
import type { Site } from '../site/site.ts'

/** Milliseconds for which the claim link of the first start is valid. */
const CLAIM_LIFE = 86_400_000

interface Row {
  address: `0x${string}`
  username: string | null
  created_at: string | null
  adder_id: string | null
  adder_address: string
  adder_name: string | null
}

/** All admin wallets; those of the settings come first. */
export async function listAdmins(site: Site): Promise<Output<typeof adminAccessOperations.adminListAdmins>> {
  const named = site.settings.adminWallets
  const rows: Row[] = await site.em().execute(
    `select wallet.address, users.username, wallet.created_at, adder.id as adder_id, adder.address as adder_address, adder.username as adder_name
     from (
       select value as address, null::timestamptz as created_at, null::uuid as added_by_id, 0 as rank from jsonb_array_elements_text(?::jsonb)
       union all select address, created_at, added_by_id, 1 from admin_wallet where address not in (select jsonb_array_elements_text(?::jsonb))
     ) wallet
     left join users on users.address = wallet.address left join users adder on adder.id = added_by_id
     order by rank, created_at, wallet.address`,
    [JSON.stringify(named), JSON.stringify(named)],
  )
  const data = rows.map((row) => ({
    address: getAddress(row.address),
    username: row.username,
    source: named.includes(row.address) ? ('settings' as const) : ('list' as const),
    added_by: row.adder_id === null ? null : { id: row.adder_id, address: getAddress(row.adder_address), username: row.adder_name },
    created_at: row.created_at === null ? null : new Date(row.created_at).toISOString(),
  }))
  return { data, totalCount: data.length }
}

/** Makes a wallet an admin from its next request on. */
export function addAdmin(site: Site, admin: Admin, { body }: { body: { address: string } }): Promise<{ success: true }> {
  return runSensitive(site, admin, async (em, now) => {
    await requireListed(site, em, admin)
    const added = await tables(em)
      .insertInto('admin_wallet')
      .values({ address: body.address, added_by_id: admin.id, created_at: now })
      .onConflict((conflict) => conflict.doNothing())
      .returning('address')
      .execute()
    return { answer: { success: true }, record: added.length === 0 ? null : { action: 'admin_added', target: body.address } }
  })
}

/**
 * Removes an admin wallet. Throws `own_admin` for one's own, so that one is always left, `admin_in_settings`, and `second_admin_missing` for one
 * of the two without whom nothing could be decided.
 */
export function removeAdmin(site: Site, admin: Admin, { params }: { params: { address: string } }): Promise<{ success: true }> {
  return runSensitive(site, admin, async (em) => {
    if (params.address === admin.address) throw new ServiceError('own_admin')
    if ((site.settings.adminWallets as readonly string[]).includes(params.address)) throw new ServiceError('admin_in_settings')
    await requireListed(site, em, admin)
    const removed = await tables(em).deleteFrom('admin_wallet').where('address', '=', params.address).returning('added_by_id').execute()
    if (removed[0]?.added_by_id === null) await requireSecondAdmin(site, em)
    return { answer: { success: true }, record: removed.length === 0 ? null : { action: 'admin_removed', target: params.address } }
  })
}

/** Checks that two admins are left where results or large withdrawals take two. The lock keeps the setting as it is meanwhile. */
async function requireSecondAdmin(site: Site, em: EntityManager): Promise<void> {
  const { resolution } = await lockSettings(em, 'resolution')
  const isNeeded = resolution.values.secondAdmin || (site.settings.withdrawTwoAdminsAbove ?? 0) > 0
  if (isNeeded && !(await hasTwoAdmins(em, site.settings.adminWallets))) throw new ServiceError('second_admin_missing')
}

/**
 * Serialises changes of the list and checks that the admin is still on it: of two admins who remove each other, one stays. Throws
 * `admin_required`.
 */
async function requireListed(site: Site, em: EntityManager, { address }: Admin): Promise<void> {
  await lockName(em, 'augury admins')
  if (site.settings.adminWallets.includes(address)) return
  const listed = await tables(em).selectFrom('admin_wallet').select('address').where('address', '=', address).execute()
  if (listed.length === 0) throw new ServiceError('admin_required')
}

const hasAdmin = async (em: EntityManager, named: readonly string[]): Promise<boolean> =>
  named.length > 0 || (await tables(em).selectFrom('admin_wallet').select('address').limit(1).execute()).length > 0

/**
 * A token by which a signed-in member becomes the first admin, once and within CLAIM_LIFE. Invalidates earlier tokens. Null when there is
 * an admin already.
 */
export function issueAdminClaim(platform: Platform, adminWallets: readonly string[]): Promise<string | null> {
  return platform.em().transactional(async (em) => {
    if (await hasAdmin(em, adminWallets)) return null
    await tables(em).deleteFrom('admin_claim').execute()
    const token = newToken()
    await tables(em)
      .insertInto('admin_claim')
      .values({ token_hash: hashOf(token), expires_at: new Date(platform.now().getTime() + CLAIM_LIFE) })
      .execute()
    return token
  })
}

/** Makes a member the first admin by the token of `issueAdminClaim`, which works once. Throws `claim_invalid`, also where there is one. */
export function claimAdmin(site: Site, member: Member, { body }: { body: { token: string } }): Promise<{ success: true }> {
  return site.em().transactional(async (em) => {
    const now = site.now()
    const used = await tables(em)
      .updateTable('admin_claim')
      .set({ used_at: now })
      .where('token_hash', '=', hashOf(body.token))
      .where('used_at', 'is', null)
      .where('expires_at', '>', now)
      .returning('token_hash')
      .execute()
    if (used.length === 0 || (await hasAdmin(em, site.settings.adminWallets))) throw new ServiceError('claim_invalid')
    await tables(em).insertInto('admin_wallet').values({ address: member.address, created_at: now }).execute()
    await audit(
      em,
      {
        action: 'admin_added',
        actor: member.id,
        subject: member.id,
        visit: member.visit,
        details: { target: member.address, by: 'claim' },
      },
      now,
    )
    return { success: true }
  })
}
