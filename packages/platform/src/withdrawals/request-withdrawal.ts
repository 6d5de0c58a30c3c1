import { parseUsdc } from '@augury/units/decimal'
import type { Input } from '@augury/wire/operation'
import type { WithdrawalView, withdrawalOperations } from '@augury/wire/platform/withdrawals'
import { ServiceError } from '@augury/wire/service-error'
import { audit } from '../account/audit.ts'
import { requireFresh } from '../identity/freshness.ts'
import { attempt, refuseUnlessPassed } from '../identity/second-factor.ts'
import type { Member } from '../identity/viewer.ts'
import type { Site } from '../site.ts'
import { asRefusal } from '../trading/exchange-refusals.ts'
import { setAside } from './set-aside.ts'
import { moveOn, type WithdrawalRow, withdrawalView } from './withdrawal-row.ts'

type Operations = typeof withdrawalOperations

/**
 * Takes money out. It is written down before the exchange is asked, so that whatever happens in between, the sync job knows of it and
 * asks again under the same reference. Refuses `step_up_required`, a wrong code, and what the account does not have.
 */
export async function requestWithdrawal(
  site: Site,
  member: Member,
  { body }: Pick<Input<Operations['requestWithdrawal']>, 'body'>,
): Promise<WithdrawalView> {
  await prove(site, member, body.totp)
  const amount = parseUsdc(body.amount)
  if (amount === 0) throw new ServiceError('invalid_amount')
  const treasury = await site.exchange.treasury().catch((error) => {
    throw new ServiceError('service_unavailable', { retryAfter: 60, cause: error })
  })
  const row = await site.em().transactional(async (em) => {
    const now = site.now()
    const [created]: WithdrawalRow[] = await em.execute(
      'insert into withdrawal (user_id, address, destination, amount, created_at, updated_at) values (?, ?, ?, ?, ?, ?) returning *',
      [member.id, member.address, body.destination, amount, now, now],
    )
    const entry = {
      action: 'withdrawal_requested',
      actor: member.id,
      subject: member.id,
      clientAddress: member.visit.clientAddress,
    } as const
    await audit(em, { ...entry, details: { id: created!.id, amount: String(amount), destination: body.destination } }, now)
    return created!
  })
  const { status, refusal } = await setAside(treasury, row)
  const moved = status === row.status ? row : await site.em().transactional((em) => moveOn(em, row, status, site.now()))
  if (refusal) throw asRefusal(refusal, true)
  return withdrawalView(moved ?? (await find(site, row.id)))
}

/** A code counts for this one withdrawal; without one, a proof of the last 15 minutes. */
async function prove(site: Site, member: Member, totp: string | undefined): Promise<void> {
  if (totp === undefined) return requireFresh(member, site.now())
  if (!member.twoFactor) throw new ServiceError('two_factor_not_enrolled')
  refuseUnlessPassed(await site.em().transactional((em) => attempt(site, em, member.id, { code: totp }, member.visit)))
}

async function find(site: Site, id: string): Promise<WithdrawalRow> {
  const [row]: WithdrawalRow[] = await site.em().execute('select * from withdrawal where id = ?', [id])
  return row!
}

/** The member's withdrawals, newest first. */
export async function listWithdrawals(
  site: Site,
  member: Member,
  { query }: Pick<Input<Operations['listWithdrawals']>, 'query'>,
): Promise<WithdrawalView[]> {
  const rows: WithdrawalRow[] = await site
    .em()
    .execute('select * from withdrawal where user_id = ? order by created_at desc, id desc limit ? offset ?', [
      member.id,
      query.limit,
      query.offset,
    ])
  return rows.map(withdrawalView)
}
