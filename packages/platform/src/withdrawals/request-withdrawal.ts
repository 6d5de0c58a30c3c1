import { tables } from '@augury/domain/platform/tables'
import { DecimalError, parseUsdc } from '@augury/units/decimal'
import type { Input } from '@augury/wire/operation'
import type { WithdrawalView, withdrawalOperations } from '@augury/wire/platform/withdrawals'
import { ServiceError } from '@augury/wire/service-error'
import type { EntityManager } from '@mikro-orm/postgresql'
import { audit } from '../authorization/audit.ts'
import type { Member } from '../authorization/viewer.ts'
import { vaultOf } from '../chain/place.ts'
import { asRefusal } from '../exchange/exchange-refusals.ts'
import { requireApprovalOrFresh } from '../identity/approval.ts'
import { attempt, refuseUnlessPassed } from '../identity/second-factor.ts'
import { notify } from '../notifications/notify.ts'
import type { Site } from '../site/site.ts'
import { asMember } from '../trading/member-exchange.ts'
import { type Asked, heldUntil, needsAdmins, requireWithinLimit } from './bounds.ts'
import { cancelledAmong, claimWithdrawals } from './claims.ts'
import { requireDestination } from './destination.ts'
import { withdrawalViews } from './payments.ts'
import { setAside } from './set-aside.ts'
import { moveOn, referenceOf, type WithdrawalRow } from './withdrawal-row.ts'

type Operations = typeof withdrawalOperations
type Body = Input<Operations['requestWithdrawal']>['body']

/**
 * Requests a withdrawal. It is stored before the exchange is asked, so that the sync job knows of it whatever happens in between and asks
 * again under the same reference. A request with a `ref` that was stored before is answered with its current status. On a new device it
 * waits first. Throws `step_up_required`, the errors of a wrong code, `withdrawal_limit`,
 * `withdrawal_destination`, and `insufficient_balance`.
 */
export async function requestWithdrawal(
  site: Site,
  member: Member,
  { body }: Pick<Input<Operations['requestWithdrawal']>, 'body'>,
): Promise<WithdrawalView> {
  const amount = microsOf(body.amount)
  const asked: Asked = { id: body.ref, amount, destination: body.destination.toLowerCase() }
  // Looked up before the code is checked: a code counts once, and this one may have been used for the request whose answer was lost.
  const before = asked.id === undefined ? undefined : await find(site, asked.id)
  if (before) return view(site, requireSame(before, member, asked))
  // What would be refused in any case is refused here: the code stays good. The limit is checked again where it counts.
  await requireDestination(site, member, body.destination)
  if (amount === 0) throw new ServiceError('invalid_amount')
  await requireWithinLimit(site.em(), member, asked, site.now())
  const treasury = await site.exchange.treasury().catch((error) => {
    throw new ServiceError('service_unavailable', { retryAfter: 60, cause: error })
  })
  if (body.totp !== undefined) await requireBalance(site, member, amount)
  await prove(site, member, body)
  const row = await site.em().transactional((em) => insertWithdrawal(em, site, member, asked, site.now()))
  if (row.status !== 'approved') return view(site, row)
  const { status, refusal } = await setAside(treasury, row)
  const moved = status === row.status ? row : await site.em().transactional((em) => moveOn(em, row, status, site.now()))
  // If another process asked since or moved it on, the money may have been set aside after the refusal.
  if (refusal && moved) throw asRefusal(refusal, true)
  return view(site, moved ?? (await find(site, row.id))!)
}

/** Parses an amount into millionths. Throws `invalid_amount` for what is too large to represent. */
function microsOf(amount: string): number {
  try {
    return parseUsdc(amount)
  } catch (error) {
    throw error instanceof DecimalError ? new ServiceError('invalid_amount', { cause: error }) : error
  }
}

/** Throws `insufficient_balance` where this device may ask for the balance, and it is too low. Otherwise the exchange decides later. */
async function requireBalance(site: Site, member: Member, amount: number): Promise<void> {
  const asked = asMember(site, member, (exchange) => exchange.getBalance({ query: { asset_type: 'COLLATERAL' } }))
  const balance = await asked.catch((error) => {
    if (error instanceof ServiceError) return null
    throw error
  })
  if (!balance || Number(balance.available) >= amount) return
  const { available, reserved } = balance
  throw new ServiceError('insufficient_balance', { details: { available, reserved, required: String(amount) } })
}

async function insertWithdrawal(em: EntityManager, site: Site, member: Member, asked: Asked, now: Date): Promise<WithdrawalRow> {
  const { amount, destination } = asked
  // Not `for update`, which would conflict with notifications that reference the member: a transaction that moves another request on would
  // wait for this one, and this one for it.
  await tables(em).selectFrom('users').select('id').where('id', '=', member.id).forNoKeyUpdate().execute()
  const before = asked.id === undefined ? undefined : await read(em, asked.id)
  if (before) return requireSame(before, member, asked) // already counted
  await requireWithinLimit(em, member, asked, now)
  const device = await heldUntil(em, member, now)
  const isLarge = needsAdmins(site.settings, amount)
  const held = device ?? (isLarge ? new Date(now.getTime() + 1) : null)
  const [row]: WithdrawalRow[] = await em.execute(
    `insert into withdrawal (id, user_id, address, destination, amount, status, held_until, needs_admins, created_at, updated_at)
     values (coalesce(?, uuidv7()), ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict (id) do nothing returning *`,
    [asked.id ?? null, member.id, member.address, destination, amount, held ? 'requested' : 'approved', held, isLarge, now, now],
  )
  if (!row) return requireSame((await read(em, asked.id!))!, member, asked)
  const { id, visit } = member
  const details = { id: row.id, amount: String(amount), destination, heldUntil: held?.toISOString() ?? null, needsAdmins: isLarge }
  await audit(em, { action: 'withdrawal_requested', actor: id, subject: id, visit, details }, now)
  if (device) await notifyHeld(em, row, device, now)
  return row
}

/** The withdrawal stored under a reference, if it is the one requested now. Throws `duplicate_ref`. */
function requireSame(row: WithdrawalRow, { id }: Member, { amount, destination }: Asked): WithdrawalRow {
  const same = row.user_id === id && Number(row.amount) === amount && row.destination === destination
  if (!same) throw new ServiceError('duplicate_ref')
  return row
}

/** Cannot be muted: the wait exists so that the member sees this. */
const notifyHeld = (em: EntityManager, row: WithdrawalRow, held: Date, at: Date): Promise<void> =>
  notify(em, row.user_id, {
    source: `withdrawal_held:${row.id}`,
    category: 'system',
    kind: 'withdrawal_held',
    title: 'A withdrawal was asked for on a new device',
    description: `It goes on at ${held.toISOString()}. If this was not you, cancel it and end your other sessions.`,
    metadata: { withdrawal_id: row.id, amount: row.amount, held_until: held.toISOString() },
    link: { type: 'profile', target: 'withdrawals' },
    at,
  })

/**
 * Cancels a withdrawal that waits, or whose money is set aside and that the settler has not begun to pay: the settler then gives the money back.
 * Idempotent. Throws `withdrawal_not_found` and `withdrawal_gone_on`.
 */
export async function cancelWithdrawal(
  site: Site,
  member: Member,
  { params }: Pick<Input<Operations['cancelWithdrawal']>, 'params'>,
): Promise<WithdrawalView> {
  const row = await find(site, params.id)
  if (row?.user_id !== member.id) throw new ServiceError('withdrawal_not_found')
  if (row.status === 'cancelled') return view(site, row)
  if (row.status === 'sent' && vaultOf(site.settings)) return view(site, await takeBack(site, member, row))
  const moved = row.status === 'requested' ? await site.em().transactional((em) => moveOn(em, row, 'cancelled', site.now())) : null
  if (!moved) throw new ServiceError('withdrawal_gone_on')
  return view(site, moved)
}

/** Claims a withdrawal whose money is set aside for its member. Throws `withdrawal_gone_on` where the settler has it, or it has ended. */
const takeBack = (site: Site, { id, visit }: Member, { id: withdrawal }: WithdrawalRow): Promise<WithdrawalRow> =>
  site.em().transactional(async (em) => {
    const [row]: WithdrawalRow[] = await em.execute('select * from withdrawal where id = ? for update', [withdrawal])
    const ref = row && referenceOf(row)
    if (row?.status !== 'sent' || !ref) throw new ServiceError('withdrawal_gone_on')
    const isRepeated = (await cancelledAmong(em, [ref])).has(ref)
    if (isRepeated) return row
    if ((await claimWithdrawals(em, [ref], 'member')).get(ref) !== 'member') throw new ServiceError('withdrawal_gone_on')
    await audit(
      em,
      { action: 'withdrawal_cancelled', actor: id, subject: id, visit, details: { id: row.id, amount: row.amount } },
      site.now(),
    )
    return row
  })

/**
 * Checks that the member asks for this very amount and destination: by a proof of both, or by a code of the second factor, which counts for this
 * one withdrawal. Members with neither a passkey nor a code have signed in within the last 15 minutes.
 */
async function prove(site: Site, member: Member, { totp, approval, amount, destination }: Body): Promise<void> {
  if (approval !== undefined || totp === undefined)
    return requireApprovalOrFresh(site, member, { action: 'withdraw', amount, destination }, approval)
  if (!member.twoFactor) throw new ServiceError('two_factor_not_enrolled')
  refuseUnlessPassed(await site.em().transactional((em) => attempt(site, em, member.id, { code: totp }, member.visit)))
}

const view = async (site: Site, row: WithdrawalRow): Promise<WithdrawalView> => (await withdrawalViews(site, site.em(), [row]))[0]!

const find = (site: Site, id: string) => read(site.em(), id)

async function read(em: EntityManager, id: string): Promise<WithdrawalRow | undefined> {
  const [row]: WithdrawalRow[] = await em.execute('select * from withdrawal where id = ?', [id])
  return row
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
  return withdrawalViews(site, site.em(), rows)
}
