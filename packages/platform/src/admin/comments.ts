import type { Input, Output } from '@augury/wire/operation'
import type { adminCommentOperations } from '@augury/wire/platform/admin-comments'
import { ServiceError } from '@augury/wire/service-error'
import type { EntityManager } from '@mikro-orm/postgresql'
import { getAddress, type Hex } from 'viem'
import { runAsAdmin, runSensitive } from '../authorization/run-as-admin.ts'
import type { Admin } from '../authorization/viewer.ts'
import { forgetAnswer } from '../comments/notify-of-answer.ts'
import type { Site } from '../site/site.ts'
import { orderBy, pattern } from './list-order.ts'

type Operations = typeof adminCommentOperations
type Shown = Output<Operations['adminComments']>['data'][number]

const COLUMNS = { reports_count: 'reports_count', created_at: 'comment.created_at', likes_count: 'likes_count' }

interface Row extends Omit<Shown, 'event' | 'user'> {
  slug: string
  title: string
  user_id: string
  address: Hex
  username: string | null
  banned: boolean
  total: number
}

/** Reports since an admin last reviewed a comment. */
const REPORTS = `
  select comment_id, count(*)::int as reports_count, max(comment_mark.created_at) as reported_at
  from comment_mark join comment on comment.id = comment_id
  where kind = 'report' and deleted_at is null and (reviewed_at is null or comment_mark.created_at > reviewed_at)
  group by comment_id`

const iso = (time: string | Date) => new Date(time).toISOString()

const view = ({ slug, title, user_id, address, username, banned, created_at, reported_at, total: _, ...row }: Row): Shown => ({
  ...row,
  event: { slug, title },
  user: { id: user_id, address: getAddress(address), username, banned },
  created_at: iso(created_at),
  reported_at: reported_at === null ? null : iso(reported_at),
})

/** Comments, most reported first unless sorted otherwise. Throws `invalid_sort_by`. */
export async function listAdminComments(
  site: Site,
  { query }: Pick<Input<Operations['adminComments']>, 'query'>,
): Promise<Output<Operations['adminComments']>> {
  const order = orderBy(COLUMNS, query, 'reports_count', 'comment.created_at desc, comment.id')
  const search = query.search.trim().toLowerCase()
  const like = pattern(search)
  const rows: Row[] = await site.em().execute(
    `select comment.id, slug, title, user_id, address, username, banned_at is not null as banned, content, parent_id is not null as is_answer,
       likes_count, coalesce(reports_count, 0) as reports_count, reported_at, comment.created_at, count(*) over ()::int as total
     from comment ${query.reported ? '' : 'left'} join (${REPORTS}) reports on reports.comment_id = comment.id
     join event on event.id = event_id join users on users.id = user_id
     where deleted_at is null ${search === '' ? '' : 'and (content ilike ? or username ilike ? or address like ?)'}
     order by ${order} limit ? offset ?`,
    [...(search === '' ? [] : [like, like, like]), query.limit, query.offset],
  )
  return { data: rows.map(view), totalCount: rows[0]?.total ?? 0 }
}

/** Number of comments with reports that no admin has reviewed. */
export async function countReported(em: EntityManager): Promise<number> {
  const [row]: { n: number }[] = await em.execute(`select count(*)::int as n from (${REPORTS}) reports`)
  return row!.n
}

/** Removes a comment, text and all. The audit log has its author and event, not its text. Throws `comment_not_found`. */
export function removeComment(site: Site, admin: Admin, { params: { id } }: { params: { id: string } }): Promise<{ success: true }> {
  return runSensitive(site, admin, async (em, now) => {
    const [removed]: { user_id: string; event: string }[] = await em.execute(
      `update comment set content = '', deleted_at = ? where id = ? and deleted_at is null
       returning user_id, (select slug from event where event.id = event_id) as event`,
      [now, id],
    )
    if (!removed) return { answer: await knownAs(em, id), record: null }
    await forgetAnswer(em, id)
    const { user_id: subject, event } = removed
    return { answer: { success: true }, record: { action: 'comment_removed', subject, target: id, after: { event } } }
  })
}

/** Lets a reported comment stay and settles its reports. Throws `comment_not_found`. */
export function keepComment(site: Site, admin: Admin, { params: { id } }: { params: { id: string } }): Promise<{ success: true }> {
  return runAsAdmin(site, admin, async (em, now) => {
    const [kept]: { user_id: string }[] = await em.execute(
      `update comment set reviewed_at = ? where id = ? and deleted_at is null and exists (
         select from comment_mark where comment_id = comment.id and kind = 'report' and (reviewed_at is null or created_at > reviewed_at)
       ) returning user_id`,
      [now, id],
    )
    if (!kept) return { answer: await knownAs(em, id), record: null }
    return { answer: { success: true }, record: { action: 'comment_kept', subject: kept.user_id, target: id } }
  })
}

/** The answer when nothing was left to do. Throws `comment_not_found` for a comment that never existed. */
async function knownAs(em: EntityManager, id: string): Promise<{ success: true }> {
  if ((await em.execute('select from comment where id = ?', [id])).length === 0) throw new ServiceError('comment_not_found')
  return { success: true }
}
