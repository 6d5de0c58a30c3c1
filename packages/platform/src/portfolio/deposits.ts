import { depositAddressOf } from '@augury/contracts/deployment'
import { tables } from '@augury/domain/platform/tables'
import type { Input } from '@augury/wire/operation'
import type { DepositAddress, DepositView, depositOperations } from '@augury/wire/platform/deposits'
import { ServiceError } from '@augury/wire/service-error'
import type { Hex } from 'viem'
import type { Member } from '../authorization/viewer.ts'
import { placeOf, seen, vaultOf } from '../chain/place.ts'
import type { Site } from '../site/site.ts'

/** A row as the driver returns it: amounts in millionths as text. */
interface Row {
  number: number | null
  amount: string
  transaction: Hex | null
  block: number | null
  confirmations: number | null
  credited_at: string | Date | null
}

/**
 * The member's deposit address. The settler sweeps it from now on. Throws `no_chain`, and `chain_unavailable` until the factory of deposit
 * addresses was seen on the chain: without it, money sent there could not be moved.
 */
export async function getDepositAddress(site: Site, member: Member): Promise<DepositAddress> {
  const vault = vaultOf(site.settings)
  const place = await placeOf(site)
  if (!vault || !place) throw new ServiceError('no_chain')
  if (!(await seen(site.settings, vault))?.hasFactory) throw new ServiceError('chain_unavailable', { retryAfter: 10 })
  await tables(site.em())
    .insertInto('chain.address')
    .values({ account: member.address.toLowerCase(), asked_at: site.now() })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return { ...place, address: depositAddressOf(vault.address, member.address) }
}

/** Money that is on its way comes first, what no block has yet before all; then credited deposits, newest first. */
const DEPOSITS = `
  select number, amount, transaction, block, confirmations, credited_at from (
    select n as number, amount, transaction, block_number as block, confirmations, null::timestamptz as credited_at
    from chain.arrival where account = ?
    union all
    select n, amount, transaction, block_number, null, credited_at from chain.deposit where account = ?
  ) deposit
  order by credited_at is not null, number desc nulls first, block desc nulls first, transaction
  limit ? offset ?`

/** The member's deposits; none where money is kept by the ledger alone. */
export async function listDeposits(
  site: Site,
  member: Member,
  { query: { limit, offset } }: Pick<Input<(typeof depositOperations)['listDeposits']>, 'query'>,
): Promise<DepositView[]> {
  const vault = vaultOf(site.settings)
  if (!vault) return []
  const account = member.address.toLowerCase()
  const rows: Row[] = await site.em().execute(DEPOSITS, [account, account, limit, offset])
  return rows.map((row) => viewOf(row, vault))
}

/** A credited deposit of the member by the vault's number; null if there is none. */
export async function ownDeposit(site: Site, member: Member, number: number): Promise<DepositView | null> {
  const vault = vaultOf(site.settings)
  if (!vault) return null
  const row = await tables(site.em())
    .selectFrom('chain.deposit')
    .select(['n as number', 'amount', 'transaction', 'block_number as block', 'credited_at'])
    .where('account', '=', member.address.toLowerCase())
    .where('n', '=', number)
    .executeTakeFirst()
  return row ? viewOf({ ...row, transaction: row.transaction as Hex, confirmations: null }, vault) : null
}

/** When the first deposit was credited from the chain, in milliseconds: those before were made by hand. Null before the first. */
export async function chainSince(site: Site): Promise<number | null> {
  if (!vaultOf(site.settings)) return null
  const row = await tables(site.em())
    .selectFrom('chain.deposit')
    .select((eb) => eb.fn.min<Date | null>('credited_at').as('at'))
    .executeTakeFirst()
  return row?.at?.getTime() ?? null
}

function viewOf(row: Row, { confirmations: needed, minDeposit }: { confirmations: number; minDeposit: number }): DepositView {
  const isCredited = row.credited_at !== null
  return {
    number: row.number,
    amount: String(row.amount),
    tx_hash: row.transaction,
    block: row.block,
    confirmations: isCredited ? needed : Math.min(row.confirmations ?? 0, needed),
    needed,
    state: isCredited ? 'credited' : row.block === null ? 'seen' : 'confirming',
    below_minimum: !isCredited && row.transaction === null && Number(row.amount) < minDeposit,
    credited_at: row.credited_at === null ? null : new Date(row.credited_at).toISOString(),
  }
}
