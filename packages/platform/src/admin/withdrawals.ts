import type { Input, Output } from '@augury/wire/operation'
import type { adminWithdrawalOperations } from '@augury/wire/platform/admin-withdrawals'
import { ServiceError } from '@augury/wire/service-error'
import type { EntityManager } from '@mikro-orm/postgresql'
import { getAddress, type Hex } from 'viem'
import { askExchange } from '../authorization/ask-exchange.ts'
import { runSensitive } from '../authorization/run-as-admin.ts'
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
  return rows.map(({ user_id: id, member, username }, i) => ({ ...shown[i]!, user: { id, address: getAddress(member), username } }))
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
