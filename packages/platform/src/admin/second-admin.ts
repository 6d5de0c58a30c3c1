import type { EntityManager } from '@mikro-orm/postgresql'
import type { AdminContext } from './run-as-admin.ts'

/** Milliseconds within which two admins have to ask for the same. */
const TOGETHER = 86_400_000

/**
 * Whether two admins are two people, as far as that can be known: a wallet costs nothing, so whoever an admin let in counts as that admin,
 * and so does whoever they let in. Only the settings of the program and the link of the first start make somebody new. `named` are the
 * wallets of the settings. No is also the answer where either of them is an admin no more.
 */
export async function areTwoAdmins(em: EntityManager, named: readonly string[], one: string, other: string): Promise<boolean> {
  const [first, second] = [await answeringFor(em, named, one), await answeringFor(em, named, other)]
  return first !== null && second !== null && first !== second
}

/** Whether there are two such people at all. */
export async function hasTwoAdmins(em: EntityManager, named: readonly string[]): Promise<boolean> {
  const rows: { address: string }[] = await em.execute('select address from admin_wallet where added_by_id is null limit 2')
  return new Set([...named, ...rows.map(({ address }) => address)]).size > 1
}

/** The admin whom a wallet goes back to: itself, or whoever let in whoever let it in. Null where one of them is an admin no more. */
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

/** Whether another admin asked for a change of a group of settings within the day, and since the group is as it is. */
export async function askedByAnother({ em, site, admin, now }: AdminContext, group: string, since: Date | null): Promise<boolean> {
  const after = new Date(Math.max(now.getTime() - TOGETHER, since?.getTime() ?? 0))
  const rows: { address: string }[] = await em.execute(
    `select distinct address from audit_log join users on users.id = actor_id
     where action = 'settings_asked' and details ->> 'target' = ? and at >= ?`,
    [group, after],
  )
  for (const { address } of rows) if (await areTwoAdmins(em, site.settings.adminWallets, admin.address, address)) return true
  return false
}
