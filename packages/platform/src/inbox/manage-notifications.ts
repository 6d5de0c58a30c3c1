import type { MemberNotification } from '@augury/wire/platform/belongings'
import { ServiceError } from '@augury/wire/service-error'
import type { Member } from '../authorization/viewer.ts'
import type { Site } from '../site/site.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const COLUMNS = 'id, category, title, description, metadata, link_type, link_target, link_url, read_at, created_at'

type Row = Omit<MemberNotification, 'read_at' | 'created_at'> & { read_at: string | Date | null; created_at: string | Date }

interface Listed {
  query: { offset: number; limit: number }
}

/** The member's notifications, newest first. */
export async function readNotifications(site: Site, member: Member, { query }: Listed): Promise<MemberNotification[]> {
  const rows: Row[] = await site
    .em()
    .execute(`select ${COLUMNS} from notification where user_id = ? order by created_at desc, id desc limit ? offset ?`, [
      member.id,
      query.limit,
      query.offset,
    ])
  return rows.map(view)
}

/** The member's notifications of some ids, in the order of their insertion. */
export async function notificationsOf(site: Site, member: Member, ids: readonly string[]): Promise<MemberNotification[]> {
  const rows: Row[] = await site
    .em()
    .execute(
      `select ${COLUMNS} from notification where user_id = ? and id in (select value::uuid from jsonb_array_elements_text(?::jsonb)) order by id`,
      [member.id, JSON.stringify(ids)],
    )
  return rows.map(view)
}

/** Marks one of the member's notifications. Throws `notification_not_found`, also for another member's. */
export async function markNotification(
  site: Site,
  member: Member,
  { params, body }: { params: { id: string }; body: { read: boolean } },
): Promise<MemberNotification> {
  if (!UUID.test(params.id)) throw new ServiceError('notification_not_found')
  const [row]: Row[] = await site
    .em()
    .execute(
      `update notification set read_at = case when ? then coalesce(read_at, ?) end where id = ? and user_id = ? returning ${COLUMNS}`,
      [body.read, site.now(), params.id, member.id],
    )
  if (!row) throw new ServiceError('notification_not_found')
  return view(row)
}

/** Marks all of the member's notifications as read. */
export async function markAllNotifications(site: Site, member: Member): Promise<{ success: true }> {
  await site.em().execute('update notification set read_at = ? where user_id = ? and read_at is null', [site.now(), member.id])
  return { success: true }
}

const view = ({ read_at, created_at, ...row }: Row): MemberNotification => ({
  ...row,
  read_at: read_at === null ? null : new Date(read_at).toISOString(),
  created_at: new Date(created_at).toISOString(),
})
