import type { Input, Output } from '@augury/wire/operation'
import type { adminUserOperations } from '@augury/wire/platform/admin-users'
import { ServiceError } from '@augury/wire/service-error'
import { UniqueConstraintViolationException } from '@mikro-orm/core'
import type { EntityManager } from '@mikro-orm/postgresql'
import { getAddress } from 'viem'
import { askExchange } from '../authorization/ask-exchange.ts'
import { difference, runAsAdmin, runSensitive } from '../authorization/run-as-admin.ts'
import type { Admin } from '../authorization/viewer.ts'
import { removeSecondFactor } from '../identity/second-factor.ts'
import { SESSION_IDLE, SESSION_LIFE } from '../identity/sessions.ts'
import { USER_COLUMNS, type UserRow, userFields } from '../identity/user-view.ts'
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

interface Row extends UserRow {
  banned_at: string | null
  referrer: string | null
  referrer_address: `0x${string}` | null
  sessions: number
}

const SELECT = `
  select ${USER_COLUMNS},
    (select count(*)::int from session where user_id = users.id and created_at > ? and last_seen_at > ?) as sessions,
    referrer.username as referrer, referrer.address as referrer_address
  from users
  left join referral on referral.user_id = users.id left join users referrer on referrer.id = referrer_id`

const lifeAt = (now: Date) => [new Date(now.getTime() - SESSION_LIFE), new Date(now.getTime() - SESSION_IDLE)]
const label = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })
const short = (address: string) => `${address.slice(0, 6)}…${address.slice(-4)}`

const view = (site: Site, row: Row): ShownUser => ({
  ...userFields(site, row),
  banned: row.banned_at !== null,
  referred_by_display: row.referrer ?? (row.referrer_address ? short(getAddress(row.referrer_address)) : null),
  created_label: label.format(new Date(row.created_at)),
  profileUrl: `${site.settings.origin}/u/${row.username ?? getAddress(row.address)}`,
  sessions_count: row.sessions,
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
  const found = search === '' ? 'true' : '(users.username ilike ? or users.address like ? or users.email ilike ?)'
  const values = search === '' ? [] : Array<string>(3).fill(pattern(search))
  const rows: Row[] = await em.execute(
    `select * from (${SELECT} where users.id in (select id from users where ${found} order by ${order} limit ? offset ?)) found order by ${order}`,
    [...lifeAt(site.now()), ...values, query.limit, query.offset],
  )
  const [all]: { n: number }[] = await em.execute(`select count(*)::int as n from users where ${found}`, values)
  return { data: rows.map((row) => view(site, row)), count: rows.length, totalCount: all!.n }
}

async function one(site: Site, em: EntityManager, id: string): Promise<ShownUser> {
  const [row]: Row[] = await em.execute(`${SELECT} where users.id = ?`, [...lifeAt(site.now()), id])
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
      await em.execute('select from users where id = ? for update', [id])
      const user = await one(site, em, id)
      const { username, email, banned } = user
      const current = { username, email, banned }
      const changed = difference<typeof current>(current, body)
      if (!changed) return { answer: { success: true, data: user }, record: null }
      if (seen && difference<typeof current>(current, seen as Partial<typeof current>)) throw new ServiceError('changed_meanwhile')
      const { after } = changed
      if (after.banned === true && user.is_admin) throw new ServiceError('own_admin')
      await em.execute(
        `update users set username = ?, email = ?, email_verified = email_verified and email is not distinct from ?,
           banned_at = case when ? then coalesce(banned_at, ?) end, updated_at = ? where id = ?`,
        [
          after.username === undefined ? username : after.username,
          after.email === undefined ? email : after.email,
          after.email === undefined ? email : after.email,
          after.banned ?? banned,
          now,
          now,
          id,
        ],
      )
      if (after.banned !== undefined) await banOnExchange(site, user.address, after.banned)
      return {
        answer: { success: true, data: await one(site, em, id) },
        record: { action: 'member_changed', subject: id, target: id, ...(note ? { note } : {}), ...changed },
      }
    })
  } catch (error) {
    if (error instanceof UniqueConstraintViolationException) throw new ServiceError('username_taken', { cause: error })
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
  const rows: { id: string; created_at: string; last_seen_at: string; user_agent: string; client_address: string }[] = await em.execute(
    `select id, created_at, last_seen_at, user_agent, client_address from session
     where user_id = ? and created_at > ? and last_seen_at > ? order by last_seen_at desc, id`,
    [id, ...lifeAt(site.now())],
  )
  const data = rows.map((row) => ({
    ...row,
    created_at: new Date(row.created_at).toISOString(),
    last_seen_at: new Date(row.last_seen_at).toISOString(),
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
    const { length: ended } = await em.execute('delete from session where user_id = ? returning id', [id])
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
    await em.execute('select from users where id = ? for no key update', [id])
    await one(site, em, id)
    if (id === admin.id) throw new ServiceError('own_admin')
    if (!(await removeSecondFactor(em, id, now))) return { answer: { success: true }, record: null }
    const { length: ended } = await em.execute('delete from session where user_id = ? returning id', [id])
    return { answer: { success: true }, record: { action: 'two_factor_disabled', subject: id, target: id, after: { ended } } }
  })
}

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
    const found: Row[] = await em.execute(`${SELECT} where users.id > ? order by users.id limit ?`, [
      ...lifeAt(now),
      after ?? FIRST,
      EXPORTED + 1,
    ])
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
