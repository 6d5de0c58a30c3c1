import type { WITHDRAWAL_STATUSES } from '@augury/domain/platform/withdrawal.entity'
import type { WithdrawalView } from '@augury/wire/platform/withdrawals'
import type { EntityManager } from '@mikro-orm/postgresql'
import { getAddress } from 'viem'
import { inDollars } from '../notifications/figures.ts'
import { notify } from '../notifications/notify.ts'

/** Status of a withdrawal. */
export type WithdrawalStatus = (typeof WITHDRAWAL_STATUSES)[number]

/** A row as the driver returns it: the amount in millionths as text. */
export interface WithdrawalRow {
  id: string
  user_id: string
  address: `0x${string}`
  destination: string
  amount: string
  status: WithdrawalStatus
  held_until: string | Date | null
  /** Whether two admins must approve it before it goes on. */
  needs_admins: boolean
  created_at: string | Date
  updated_at: string | Date
}

/** The permanent reference of the withdrawal at the exchange. */
export const referenceOf = ({ id }: Pick<WithdrawalRow, 'id'>): string => `withdrawal-${id}`

/** The payment of a withdrawal out of the vault: see `paymentsOf`. */
export interface Payment {
  chainId: number
  transaction: `0x${string}` | null
  isMined: boolean
  block: number | null
}

/**
 * A withdrawal as shown to its member. Where the vault pays (`isOnChain`), one whose money is set aside is queued until its payment was sent, and
 * confirmed once a confirmed block has it.
 */
export const withdrawalView = (row: WithdrawalRow, isOnChain = false, payment: Payment | null = null): WithdrawalView => ({
  id: row.id,
  amount: row.amount,
  destination: getAddress(row.destination),
  status: isOnChain && row.status === 'sent' ? stageOf(payment) : row.status,
  held_until: row.held_until === null ? null : new Date(row.held_until).toISOString(),
  awaits_admins: row.status === 'requested' && row.needs_admins,
  chain_id: payment?.chainId ?? null,
  tx_hash: payment?.transaction ?? null,
  block: payment?.block ?? null,
  created_at: new Date(row.created_at).toISOString(),
  updated_at: new Date(row.updated_at).toISOString(),
})

const stageOf = (payment: Payment | null) => (payment?.isMined ? 'confirmed' : payment?.transaction ? 'sent' : 'queued')

const TOLD: Readonly<Partial<Record<WithdrawalStatus, string>>> = {
  sent: 'Withdrawal on its way',
  settled: 'Withdrawal completed',
  returned: 'Withdrawal returned',
  refused: 'Withdrawal refused',
  cancelled: 'Withdrawal cancelled',
}

/**
 * SQL that records until when a withdrawal has waited if it could not be passed on within an hour: the daily limit counts from then. Its
 * values are the new status and twice the time.
 */
const WAITED_UNTIL = `
  case when ? in ('sent', 'settled') and status in ('approved', 'refused') and coalesce(held_until, created_at) + interval '1 hour' < ?
  then ? else held_until end`

/**
 * Milliseconds during which the process that approved a withdrawal, or claimed it last, is the only one that asks the exchange: after that
 * a request has arrived or is too old to be accepted.
 */
export const ASKED_ALONE = 120_000

/** Claims the right to ask the exchange about an approved withdrawal; null when another process was quicker. */
export async function claim(em: EntityManager, { id, updated_at }: WithdrawalRow, at: Date): Promise<WithdrawalRow | null> {
  const [row]: WithdrawalRow[] = await em.execute(
    `update withdrawal set updated_at = ? where id = ? and status = 'approved' and updated_at = ? returning *`,
    [at, id, updated_at],
  )
  return row ?? null
}

/**
 * Moves a withdrawal to the next status from the one it was read in, and notifies its member. Null when it changed meanwhile. Only the
 * holder of the claim may end it as refused, or a concurrent request could still set the money aside; `set_aside` may be recorded by
 * anybody who learns of it.
 */
export async function moveOn(em: EntityManager, seen: WithdrawalRow, status: WithdrawalStatus, at: Date): Promise<WithdrawalRow | null> {
  const [row]: WithdrawalRow[] = await em.execute(
    `update withdrawal set status = ?, updated_at = greatest(?, created_at), held_until = ${WAITED_UNTIL}
     where id = ? and (status = ? and (? <> 'refused' or updated_at = ?) or status = 'refused' and ? in ('sent', 'settled', 'returned'))
     returning *`,
    [...[status, at], ...[status, at, at], ...[seen.id, seen.status, status, seen.updated_at, status]],
  )
  if (!row) return null
  await notify(em, row.user_id, {
    source: `withdrawal:${row.id}:${status}`,
    category: 'general',
    kind: `withdrawal_${status in TOLD ? status : 'approved'}`,
    title: TOLD[status] ?? 'Withdrawal approved',
    description: `${inDollars(Number(row.amount))} to ${getAddress(row.destination)}`,
    metadata: { withdrawal_id: row.id, amount: row.amount, status, destination: getAddress(row.destination) },
    link: { type: 'profile', target: 'withdrawals' },
    at,
  })
  return row
}
