import { tables } from '@augury/domain/platform/tables'
import { isDuplicate } from '@augury/domain/refused'
import type { Input, Output } from '@augury/wire/operation'
import type { adminUserOperations } from '@augury/wire/platform/admin-users'
import { ServiceError } from '@augury/wire/service-error'
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { getAddress } from 'viem'
import { askExchange } from '../authorization/ask-exchange.ts'
import { difference, runAsAdmin, runSensitive } from '../authorization/run-as-admin.ts'
import type { Admin } from '../authorization/viewer.ts'
import { removeSecondFactor } from '../identity/second-factor.ts'
import { SESSION_IDLE, SESSION_LIFE } from '../identity/sessions.ts'
import { members, userFields } from '../identity/user-view.ts'
import type { Site } from '../site/site.ts'
import { csvOf } from './csv.ts'
import { orderBy, pattern } from './list-order.ts'

type Operations = typeof adminUserOperations
type ShownUser = Output<Operations['adminUpdateUser']>['data']

/** Members in one part of an export. */
const EXPORTED = 10_000

const COLUMNS = {
  username: 'lower(username)',
  email: 'lower(email)',
  address: 'address',
  created_at: 'created_at',
  total_volume: 'total_volume',
  total_trades: 'total_trades',
}

/** Members with what admins see of them. */
const shown = (em: EntityManager, now: Date) =>
  members(em)
    .leftJoin('referral', 'referral.user_id', 'users.id')
    .leftJoin('users as referrer', 'referrer.id', 'referral.referrer_id')
    .select((eb) => [
      'referrer.username as referrer',
      'referrer.address as referrer_address',
      eb
        .selectFrom('session')
        .select(sql<number>`count(*)::int`.as('count'))
        .whereRef('session.user_id', '=', 'users.id')
        .where('session.created_at', '>', new Date(now.getTime() - SESSION_LIFE))
        .where('last_seen_at', '>', new Date(now.getTime() - SESSION_IDLE))
        .as('sessions'),
    ])

type Row = Awaited<ReturnType<ReturnType<typeof shown>['executeTakeFirstOrThrow']>>

const label = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })
const short = (address: string) => `${address.slice(0, 6)}…${address.slice(-4)}`

const view = (site: Site, row: Row): ShownUser => ({
  ...userFields(site, row),
  banned: row.banned_at !== null,
  referred_by_display: row.referrer ?? (row.referrer_address ? short(getAddress(row.referrer_address)) : null),
  created_label: label.format(row.created_at),
  profileUrl: `${site.settings.origin}/u/${row.username ?? getAddress(row.address)}`,
  sessions_count: row.sessions ?? 0,
})

/** Members by name, address or e-mail. Throws `invalid_sort_by`. */
export async function listUsers(
  site: Site,
  { query }: Pick<Input<Operations['adminUsers']>, 'query'>,
): Promise<Output<Operations['adminUsers']>> {
  const order = orderBy(COLUMNS, query, 'created_at', 'id')
  const em = site.em()
  const search = query.search.trim().toLowerCase()
  // The page of ids is found first, so that the costly columns are computed for these rows only.
  const like = pattern(search)
  const found = tables(em)
    .selectFrom('users')
    .$if(search !== '', (asked) =>
      asked.where((eb) =>
        eb.or([eb('users.username', 'ilike', like), eb('users.address', 'like', like), eb('users.email', 'ilike', like)]),
      ),
    )
  const sorted = sql.raw(order)
  const page = found.select('users.id').orderBy(sorted).limit(query.limit).offset(query.offset)
  const rows = await tables(em)
    .selectFrom(shown(em, site.now()).where('users.id', 'in', page).as('found'))
    .selectAll()
    .orderBy(sorted)
    .execute()
  const all = await found.select(sql<number>`count(*)::int`.as('n')).executeTakeFirstOrThrow()
  return { data: rows.map((row) => view(site, row)), count: rows.length, totalCount: all.n }
}

async function one(site: Site, em: EntityManager, id: string): Promise<ShownUser> {
  const row = await shown(em, site.now()).where('users.id', '=', id).executeTakeFirst()
  if (!row) throw new ServiceError('user_not_found')
  return view(site, row)
}

/**
 * Changes a member. A ban takes effect on the exchange first, where the member's open orders end; banned members can still sign in and
 * withdraw. Throws `step_up_required`, `own_admin` for banning an admin, who must be removed as admin first, and `changed_meanwhile` where the
 * member is not as the caller has seen it.
 */
export async function updateUser(
  site: Site,
  admin: Admin,
  { params: { id }, body: { note, seen, ...body } }: Pick<Input<Operations['adminUpdateUser']>, 'params' | 'body'>,
): Promise<Output<Operations['adminUpdateUser']>> {
  try {
    return await runSensitive(site, admin, async (em, now) => {
      await tables(em).selectFrom('users').select('id').where('id', '=', id).forUpdate().execute()
      const user = await one(site, em, id)
      const { username, email, banned } = user
      const current = { username, email, banned }
      const changed = difference<typeof current>(current, body)
      if (!changed) return { answer: { success: true, data: user }, record: null }
      if (seen && difference<typeof current>(current, seen as Partial<typeof current>)) throw new ServiceError('changed_meanwhile')
      const { after } = changed
      if (after.banned === true && user.is_admin) throw new ServiceError('own_admin')
      const next = { ...current, ...after }
      await tables(em)
        .updateTable('users')
        .set((eb) => ({
          username: next.username,
          email: next.email,
          email_verified: eb.and([eb.ref('email_verified'), eb('email', 'is not distinct from', next.email)]).$castTo<boolean>(),
          banned_at: next.banned ? eb.fn.coalesce('banned_at', eb.val(now)) : null,
          updated_at: now,
        }))
        .where('id', '=', id)
        .execute()
      if (after.banned !== undefined) await banOnExchange(site, user.address, after.banned)
      return {
        answer: { success: true, data: await one(site, em, id) },
        record: { action: 'member_changed', subject: id, target: id, ...(note ? { note } : {}), ...changed },
      }
    })
  } catch (error) {
    if (isDuplicate(error)) throw new ServiceError('username_taken', { cause: error })
    throw error
  }
}

const banOnExchange = (site: Site, address: `0x${string}`, banned: boolean) =>
  askExchange(site.exchange.treasury().then((exchange) => exchange.setAccount({ params: { address }, body: { banned } })))

/** The sessions of a member. Throws `user_not_found`. */
export async function userSessions(
  site: Site,
  { params: { id } }: { params: { id: string } },
): Promise<Output<Operations['adminUserSessions']>> {
  const em = site.em()
  await one(site, em, id)
  const now = site.now().getTime()
  const rows = await tables(em)
    .selectFrom('session')
    .select(['id', 'created_at', 'last_seen_at', 'user_agent', 'client_address'])
    .where('user_id', '=', id)
    .where('created_at', '>', new Date(now - SESSION_LIFE))
    .where('last_seen_at', '>', new Date(now - SESSION_IDLE))
    .orderBy('last_seen_at', 'desc')
    .orderBy('id')
    .execute()
  const data = rows.map((row) => ({
    ...row,
    created_at: row.created_at.toISOString(),
    last_seen_at: row.last_seen_at.toISOString(),
  }))
  return { data, totalCount: data.length }
}

/** Signs a member out everywhere at once. */
export function endUserSessions(
  site: Site,
  admin: Admin,
  { params: { id } }: { params: { id: string } },
): Promise<Output<Operations['adminEndUserSessions']>> {
  return runAsAdmin(site, admin, async (em) => {
    await one(site, em, id)
    const ended = await endSessions(em, id)
    return { answer: { success: true, data: { ended } }, record: { action: 'sessions_ended', subject: id, target: id, after: { ended } } }
  })
}

/**
 * Removes the second factor and recovery codes of a member who lost them. Ends all sessions, since a device may be lost too; the member
 * signs in again with the wallet. Throws `step_up_required`, and `own_admin` for one's own.
 */
export function resetSecondFactor(site: Site, admin: Admin, { params: { id } }: { params: { id: string } }): Promise<{ success: true }> {
  return runSensitive(site, admin, async (em, now) => {
    // Takes locks in the same order as turning a second factor on, which also ends sessions.
    await tables(em).selectFrom('users').select('id').where('id', '=', id).forNoKeyUpdate().execute()
    await one(site, em, id)
    if (id === admin.id) throw new ServiceError('own_admin')
    if (!(await removeSecondFactor(em, id, now))) return { answer: { success: true }, record: null }
    const ended = await endSessions(em, id)
    return { answer: { success: true }, record: { action: 'two_factor_disabled', subject: id, target: id, after: { ended } } }
  })
}

/** Ends all sessions of a member. Returns how many. */
const endSessions = async (em: EntityManager, id: string): Promise<number> =>
  (await tables(em).deleteFrom('session').where('user_id', '=', id).returning('id').execute()).length

const HEADER = ['address', 'username', 'email', 'created_at', 'total_volume', 'total_trades', 'banned', 'referred_by']
/** Below every id. */
const FIRST = '00000000-0000-0000-0000-000000000000'

/** A part of all members as CSV, and the last of it while there are more. Ids grow with time, and stay when a member goes. */
export function exportUsers(
  site: Site,
  admin: Admin,
  { query: { after } }: Pick<Input<Operations['adminExportUsers']>, 'query'>,
): Promise<Output<Operations['adminExportUsers']>> {
  return runSensitive(site, admin, async (em, now) => {
    const found = await shown(em, now)
      .where('users.id', '>', after ?? FIRST)
      .orderBy('users.id')
      .limit(EXPORTED + 1)
      .execute()
    const rows = found.slice(0, EXPORTED)
    const lines = rows.map((row) => {
      const { address, username, email, created_at, total_volume, total_trades, banned, referred_by_display } = view(site, row)
      return [address, username ?? '', email ?? '', created_at, total_volume, total_trades, banned, referred_by_display ?? '']
    })
    return {
      answer: {
        success: true,
        data: { csv: csvOf(after === undefined ? [HEADER, ...lines] : lines), next: found.length > rows.length ? rows.at(-1)!.id : null },
      },
      record: { action: 'members_exported', target: 'users', after: { rows: rows.length } },
    }
  })
}
