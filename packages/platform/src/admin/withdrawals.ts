import { anyOf, tables } from '@augury/domain/platform/tables'
import type { Input, Output } from '@augury/wire/operation'
import type { adminWithdrawalOperations } from '@augury/wire/platform/admin-withdrawals'
import { ServiceError } from '@augury/wire/service-error'
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { getAddress, type Hex } from 'viem'
import { askExchange } from '../authorization/ask-exchange.ts'
import { runSensitive } from '../authorization/run-as-admin.ts'
import { areTwoAdmins } from '../authorization/second-admin.ts'
import type { Admin } from '../authorization/viewer.ts'
import { vaultOf } from '../chain/place.ts'
import type { Site } from '../site/site.ts'
import { withdrawalViews } from '../withdrawals/payments.ts'
import { moveOn, referenceOf, type WithdrawalRow } from '../withdrawals/withdrawal-row.ts'
import { pattern } from './list-order.ts'

type Operations = typeof adminWithdrawalOperations
type Shown = Output<Operations['adminWithdrawals']>['data'][number]

interface Row extends WithdrawalRow {
  username: string | null
  member: Hex
  total: number
}

const SELECT = `
  select withdrawal.*, username, users.address as member, count(*) over ()::int as total
  from withdrawal join users on users.id = user_id`
/** As its index has it. */
const OPEN = `status in ('requested', 'approved', 'sent')`

async function views(site: Site, em: EntityManager, rows: readonly Row[]): Promise<Shown[]> {
  const shown = await withdrawalViews(site, em, rows)
  const hands = await approvalsOf(em, rows)
  return rows.map(({ id: withdrawal, user_id: id, member, username }, i) => ({
    ...shown[i]!,
    user: { id, address: getAddress(member), username },
    approvals: hands.get(withdrawal)?.length ?? 0,
  }))
}
const view = async (site: Site, em: EntityManager, row: Row): Promise<Shown> => (await views(site, em, [row]))[0]!

/** Withdrawals of members: open ones, the longest waiting first, or all, newest first. */
export async function listAllWithdrawals(
  site: Site,
  { query }: Pick<Input<Operations['adminWithdrawals']>, 'query'>,
): Promise<Output<Operations['adminWithdrawals']>> {
  const like = pattern(query.search.trim().toLowerCase())
  const isOpen = query.status === 'open'
  const em = site.em()
  const rows: Row[] = await em.execute(
    `${SELECT} where ${isOpen ? OPEN : 'true'} and (username ilike ? or users.address like ? or destination like ?)
     order by withdrawal.id ${isOpen ? '' : 'desc'} limit ? offset ?`,
    [like, like, like, query.limit, query.offset],
  )
  return { data: await views(site, em, rows), totalCount: rows[0]?.total ?? 0 }
}

/** Addresses of the admins who approved each of these withdrawals, as the audit log has it. */
async function approvalsOf(em: EntityManager, rows: readonly Row[]): Promise<ReadonlyMap<string, string[]>> {
  const large = rows.filter(({ needs_admins }) => needs_admins).map(({ id }) => id)
  if (large.length === 0) return new Map()
  const found = await tables(em)
    .selectFrom('audit_log')
    .innerJoin('users', 'users.id', 'audit_log.actor_id')
    .select(sql<string>`details ->> 'target'`.as('target'))
    .select('address')
    .distinct()
    .where('action', '=', 'withdrawal_approved')
    .where(sql<string>`details ->> 'target'`, '=', anyOf(large))
    .execute()
  return new Map(large.map((id) => [id, found.filter(({ target }) => target === id).map(({ address }) => address)]))
}

/**
 * Approves a withdrawal that waits for two admins. With the second of two independent ones it goes on, after its wait for a new device. The same admin
 * again changes nothing. Throws `withdrawal_not_found`, `withdrawal_gone_on` and `step_up_required`.
 */
export function approveWithdrawal(
  site: Site,
  admin: Admin,
  { params: { id } }: Pick<Input<Operations['adminApproveWithdrawal']>, 'params'>,
): Promise<Output<Operations['adminApproveWithdrawal']>> {
  return runSensitive(site, admin, async (em, now) => {
    const row = await lock(em, id)
    if (row.status !== 'requested' || !row.needs_admins) throw goneOn()
    const hands = (await approvalsOf(em, [row])).get(id) ?? []
    let isSecond = false
    for (const hand of hands) isSecond ||= await areTwoAdmins(em, site.settings.adminWallets, admin.address, hand)
    if (!isSecond && hands.includes(admin.address.toLowerCase()))
      return { answer: { success: true, data: await view(site, em, row) }, record: null }
    // The daily limit counts from when it goes on.
    if (isSecond)
      await tables(em)
        .updateTable('withdrawal')
        .set({ needs_admins: false, held_until: sql`greatest(held_until, ${now})`, updated_at: sql`greatest(${now}, created_at)` })
        .where('id', '=', id)
        .execute()
    const { amount, destination, user_id: subject } = row
    return {
      answer: { success: true, data: { ...(await view(site, em, await lock(em, id))), approvals: hands.length + 1 } },
      record: { action: 'withdrawal_approved', subject, target: id, after: { amount, destination, approvals: isSecond ? 2 : 1 } },
    }
  })
}

/** Returns the number of withdrawals whose money is set aside and that wait for payment. */
export async function countToPay(em: EntityManager): Promise<number> {
  const [row]: { n: number }[] = await em.execute(`select count(*)::int as n from withdrawal where ${OPEN} and status = 'sent'`)
  return row!.n
}

/**
 * Ends a withdrawal: one whose money is set aside has left or goes back to the account, one that is held is cancelled. The same again changes
 * nothing. Throws `withdrawal_not_found`, `withdrawal_gone_on` where it is elsewhere on its way or the vault pays it, and `step_up_required`.
 */
export function endWithdrawal(
  site: Site,
  admin: Admin,
  { params: { id }, body: { outcome } }: Pick<Input<Operations['adminEndWithdrawal']>, 'params' | 'body'>,
): Promise<Output<Operations['adminEndWithdrawal']>> {
  return runSensitive(site, admin, async (em, now) => {
    const row = await lock(em, id)
    if (row.status === outcome) return { answer: { success: true, data: await view(site, em, row) }, record: null }
    if (row.status !== (outcome === 'cancelled' ? 'requested' : 'sent')) throw goneOn()
    if (outcome !== 'cancelled' && isPaidByVault(site))
      throw new ServiceError('withdrawal_gone_on', { text: 'The vault pays this withdrawal.' })
    if (outcome !== 'cancelled') await endOnExchange(site, row, outcome)
    await moveOn(em, row, outcome, now)
    const { amount, destination, user_id: subject } = row
    return {
      answer: { success: true, data: await view(site, em, await lock(em, id)) },
      record: { action: 'withdrawal_ended', subject, target: id, after: { outcome, amount, destination } },
    }
  })
}

/** Whether the settler alone ends withdrawals: it may have sent what an admin takes for unpaid. A sandbox's settler follows what is done by hand. */
const isPaidByVault = ({ settings }: Site): boolean => settings.mode === 'production' && vaultOf(settings) !== null

async function endOnExchange(site: Site, row: Row, outcome: 'settled' | 'returned'): Promise<void> {
  const { settleWithdrawal, returnWithdrawal } = await askExchange(site.exchange.treasury())
  const end = outcome === 'settled' ? settleWithdrawal : returnWithdrawal
  await askExchange(end({ params: { ref: referenceOf(row) } })).catch(unlessEndedOtherwise)
}

async function lock(em: EntityManager, id: string): Promise<Row> {
  await em.execute('select from withdrawal where id = ? for update', [id])
  const [row]: Row[] = await em.execute(`${SELECT} where withdrawal.id = ?`, [id])
  if (!row) throw new ServiceError('withdrawal_not_found')
  return row
}

const goneOn = () => new ServiceError('withdrawal_gone_on', { text: 'This withdrawal has gone on, or has ended.' })

/** Ignores that it was ended at the exchange in the other way: the worker takes that over. */
function unlessEndedOtherwise(error: unknown): never {
  throw error instanceof ServiceError && error.code === 'duplicate_ref' ? goneOn() : error
}
