import type { CLAIM_HOLDERS } from '@augury/domain/platform/chain/chain.entities'
import { anyOf, tables } from '@augury/domain/platform/tables'
import type { EntityManager } from '@mikro-orm/postgresql'

type Holder = (typeof CLAIM_HOLDERS)[number]

/**
 * Claims withdrawals by their references at the exchange, for ever, and returns who has each: the first that claimed it. Of a member who cancels and
 * a settler that pays, exactly one gets it, because both insert the same row.
 */
export async function claimWithdrawals(em: EntityManager, refs: readonly string[], holder: Holder): Promise<ReadonlyMap<string, Holder>> {
  const rows: { ref: string; holder: Holder }[] = await em.execute(
    `insert into chain.claim as c (ref, holder) select value, ? from jsonb_array_elements_text(?::jsonb) order by 1
     on conflict (ref) do update set holder = c.holder returning ref, holder`,
    [holder, JSON.stringify([...new Set(refs)])],
  )
  return new Map(rows.map((row) => [row.ref, row.holder]))
}

/** Those of these references that their members cancelled. */
export async function cancelledAmong(em: EntityManager, refs: readonly string[]): Promise<ReadonlySet<string>> {
  if (refs.length === 0) return new Set()
  const rows = await tables(em)
    .selectFrom('chain.claim')
    .select('ref')
    .where('holder', '=', 'member')
    .where('ref', '=', anyOf(refs))
    .execute()
  return new Set(rows.map(({ ref }) => ref))
}
