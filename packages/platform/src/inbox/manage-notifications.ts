import { artPath } from '@augury/art/address'
import { anyOf, type PlatformTables, tables } from '@augury/domain/platform/tables'
import type { MemberNotification } from '@augury/wire/platform/belongings'
import { ServiceError } from '@augury/wire/service-error'
import type { Selectable } from 'kysely'
import type { Member } from '../authorization/viewer.ts'
import { picturesAt } from '../pictures/market-pictures.ts'
import type { Site } from '../site/site.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const COLUMNS = [
  'id',
  'category',
  'title',
  'description',
  'metadata',
  'link_type',
  'link_target',
  'link_url',
  'read_at',
  'created_at',
] as const

type Row = Pick<Selectable<PlatformTables['notification']>, (typeof COLUMNS)[number]>

interface Listed {
  query: { offset: number; limit: number }
}

/** The member's notifications, newest first. */
export async function readNotifications(site: Site, member: Member, { query }: Listed): Promise<MemberNotification[]> {
  const rows = await tables(site.em())
    .selectFrom('notification')
    .select(COLUMNS)
    .where('user_id', '=', member.id)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(query.limit)
    .offset(query.offset)
    .execute()
  return viewsOf(site, rows)
}

/** The member's notifications of some ids, in the order of their insertion. */
export async function notificationsOf(site: Site, member: Member, ids: readonly string[]): Promise<MemberNotification[]> {
  const rows = await tables(site.em())
    .selectFrom('notification')
    .select(COLUMNS)
    .where('user_id', '=', member.id)
    .where('id', '=', anyOf(ids))
    .orderBy('id')
    .execute()
  return viewsOf(site, rows)
}

/** Marks one of the member's notifications. Throws `notification_not_found`, also for another member's. */
export async function markNotification(
  site: Site,
  member: Member,
  { params, body }: { params: { id: string }; body: { read: boolean } },
): Promise<MemberNotification> {
  if (!UUID.test(params.id)) throw new ServiceError('notification_not_found')
  const row = await tables(site.em())
    .updateTable('notification')
    .set((eb) => ({ read_at: body.read ? eb.fn.coalesce('read_at', eb.val(site.now())) : null }))
    .where('id', '=', params.id)
    .where('user_id', '=', member.id)
    .returning(COLUMNS)
    .executeTakeFirst()
  if (!row) throw new ServiceError('notification_not_found')
  const [view] = await viewsOf(site, [row])
  return view!
}

/** Marks all of the member's notifications as read. */
export async function markAllNotifications(site: Site, member: Member): Promise<{ success: true }> {
  await tables(site.em())
    .updateTable('notification')
    .set({ read_at: site.now() })
    .where('user_id', '=', member.id)
    .where('read_at', 'is', null)
    .execute()
  return { success: true }
}

/** Notifications with the picture of the market or event that each links to. */
async function viewsOf(site: Site, rows: readonly Row[]): Promise<MemberNotification[]> {
  const linked = rows.filter(({ link_type }) => link_type === 'event' || link_type === 'market').map(({ link_target }) => link_target)
  const pictures = await picturesAt(site, linked)
  return rows.map(({ read_at, created_at, ...row }) => ({
    ...row,
    picture: pictures.get(row.link_target) ?? OTHER,
    read_at: read_at === null ? null : read_at.toISOString(),
    created_at: created_at.toISOString(),
  }))
}
/** Of news about no market. */
const OTHER = artPath('e_bell')
