import { tables } from '@augury/domain/platform/tables'
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
    const removed = await tables(em)
      .updateTable('comment')
      .set({ content: '', deleted_at: now })
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .returning((eb) => ['user_id', eb.selectFrom('event').select('slug').whereRef('event.id', '=', 'event_id').as('event')])
      .executeTakeFirst()
    if (!removed) return { answer: await knownAs(em, id), record: null }
    await forgetAnswer(em, id)
    const { user_id: subject, event } = removed
    return { answer: { success: true }, record: { action: 'comment_removed', subject, target: id, after: { event } } }
  })
}

/** Lets a reported comment stay and settles its reports. Throws `comment_not_found`. */
export function keepComment(site: Site, admin: Admin, { params: { id } }: { params: { id: string } }): Promise<{ success: true }> {
  return runAsAdmin(site, admin, async (em, now) => {
    const kept = await tables(em)
      .updateTable('comment')
      .set({ reviewed_at: now })
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .where((eb) =>
        eb.exists(
          eb
            .selectFrom('comment_mark')
            .whereRef('comment_id', '=', 'comment.id')
            .where('kind', '=', 'report')
            .where((mark) => mark.or([mark('reviewed_at', 'is', null), mark('comment_mark.created_at', '>', mark.ref('reviewed_at'))])),
        ),
      )
      .returning('user_id')
      .executeTakeFirst()
    if (!kept) return { answer: await knownAs(em, id), record: null }
    return { answer: { success: true }, record: { action: 'comment_kept', subject: kept.user_id, target: id } }
  })
}

/** The answer when nothing was left to do. Throws `comment_not_found` for a comment that never existed. */
async function knownAs(em: EntityManager, id: string): Promise<{ success: true }> {
  const known = await tables(em).selectFrom('comment').select('id').where('id', '=', id).executeTakeFirst()
  if (!known) throw new ServiceError('comment_not_found')
  return { success: true }
}
