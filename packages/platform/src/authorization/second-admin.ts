import { tables } from '@augury/domain/platform/tables'
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import type { AdminContext } from './run-as-admin.ts'

/** Milliseconds within which two admins must ask for the same change. */
const TOGETHER = 86_400_000

/**
 * Whether two admins are two people, as far as can be known. Wallets cost nothing, so an admin who was added by another counts as that one,
 * transitively; only wallets of the settings (`named`) and the claim of the first start count as new people. False when either is no admin
 * any more.
 */
export async function areTwoAdmins(em: EntityManager, named: readonly string[], one: string, other: string): Promise<boolean> {
  const [first, second] = [await answeringFor(em, named, one), await answeringFor(em, named, other)]
  return first !== null && second !== null && first !== second
}

/** Whether there are two such admins at all. */
export async function hasTwoAdmins(em: EntityManager, named: readonly string[]): Promise<boolean> {
  const rows = await tables(em).selectFrom('admin_wallet').select('address').where('added_by_id', 'is', null).limit(2).execute()
  return new Set([...named, ...rows.map(({ address }) => address)]).size > 1
}

/** The admin at the root of the chain of who added whom, starting at a wallet. Null when a link of the chain is no admin any more. */
async function answeringFor(em: EntityManager, named: readonly string[], address: string): Promise<string | null> {
  const [row]: { address: string }[] = await em.execute(CHAIN, [JSON.stringify(named), address.toLowerCase()])
  return row?.address ?? null
}

const CHAIN = `
  with recursive named as (select value as address from jsonb_array_elements_text(?::jsonb)),
  chain as (
    select ?::text as address
    union
    select users.address from chain join admin_wallet using (address) join users on users.id = added_by_id
    where chain.address not in (select address from named)
  )
  select address from chain
  where address in (select address from named)
    or exists (select from admin_wallet where admin_wallet.address = chain.address and added_by_id is null)`

/** Whether another admin asked to change a group of settings within TOGETHER, and since the group was last changed. */
export async function askedByAnother({ em, site, admin, now }: AdminContext, group: string, since: Date | null): Promise<boolean> {
  const after = new Date(Math.max(now.getTime() - TOGETHER, since?.getTime() ?? 0))
  const rows = await tables(em)
    .selectFrom('audit_log')
    .innerJoin('users', 'users.id', 'audit_log.actor_id')
    .select('address')
    .distinct()
    .where('action', '=', 'settings_asked')
    .where(sql`details ->> 'target'`, '=', group)
    .where('at', '>=', after)
    .execute()
  for (const { address } of rows) if (await areTwoAdmins(em, site.settings.adminWallets, admin.address, address)) return true
  return false
}
