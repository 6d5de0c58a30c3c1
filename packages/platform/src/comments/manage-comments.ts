import type { Input, Output } from '@augury/wire/operation'
import type { CommentView, commentOperations } from '@augury/wire/platform/comments'
import { ServiceError } from '@augury/wire/service-error'
import type { EntityManager } from '@mikro-orm/postgresql'
import { getAddress } from 'viem'
import { hiddenFrom } from '../activity/hidden-from.ts'
import type { Member, Viewer } from '../authorization/viewer.ts'
import type { Platform } from '../site/platform.ts'
import type { Site } from '../site/site.ts'
import { forgetAnswer, notifyOfAnswer } from './notify-of-answer.ts'

type Operations = typeof commentOperations
type Parts<Name extends keyof Operations> = Input<Operations[Name]>

interface Row extends Omit<CommentView, 'user' | 'created_at'> {
  username: string | null
  address: string
  image: string
  created_at: string | Date
}

/** A comment as a viewer sees it; the first two values are the viewer's id. */
const SELECT = `
  select comment.id, comment.parent_id as parent, content, deleted_at is not null as deleted, username, address, image_url as image,
    comment.created_at, comment.user_id is not distinct from ?::uuid as own,
    exists (select from comment_mark where comment_id = comment.id and user_id = ?::uuid and kind = 'like') as liked,
    likes_count,
    (select count(*)::int from comment answer where answer.parent_id = comment.id and answer.deleted_at is null) as replies_count
  from comment join users on users.id = comment.user_id`

const SORTS = { newest: 'created_at desc, id desc', likes: 'likes_count desc, created_at desc, id desc' } as const

const view = ({ username, address, image, created_at, ...row }: Row): CommentView => ({
  ...row,
  user: { username, address: getAddress(address), image },
  created_at: new Date(created_at).toISOString(),
})

const idOf = (viewer: Viewer): string | null => (viewer.kind === 'member' ? viewer.id : null)

/** Comments on an event. A deleted one stays, without text, as long as it has answers. Throws `event_not_found`, also for an event that is hidden from the viewer. */
export async function listComments(site: Site, viewer: Viewer, { query }: Pick<Parts<'listComments'>, 'query'>): Promise<CommentView[]> {
  const em = site.em()
  const event = await eventId(em, query.event)
  await requireSeen(site, viewer, query.event)
  const me = idOf(viewer)
  const [where, values] = query.parent === undefined ? ['comment.parent_id is null', []] : ['comment.parent_id = ?', [query.parent]]
  const rows: Row[] = await em.execute(
    `select * from (${SELECT} where comment.event_id = ? and ${where}) comment where not deleted or replies_count > 0
     order by ${SORTS[query.sort]} limit ? offset ?`,
    [me, me, event, ...values, query.limit, query.offset],
  )
  return rows.map(view)
}

/**
 * Adds a comment; a reply notifies the author of its parent. Asked again under the same `ref`, because the answer was lost, it is answered with the one that there is. Throws
 * `account_banned`, `event_not_found` and `comment_not_found`, and `duplicate_ref` where `ref` names another comment.
 */
export async function addComment(site: Site, member: Member, { body }: Pick<Parts<'addComment'>, 'body'>): Promise<CommentView> {
  if (member.banned) throw new ServiceError('account_banned')
  await requireSeen(site, member, body.event)
  return site.em().transactional(async (em) => {
    const event = await eventId(em, body.event)
    const parent = body.parent ?? null
    if (parent !== null) await requireComment(em, parent, 'event_id = ? and parent_id is null', [event])
    const [created]: { id: string }[] = await em.execute(
      `insert into comment (id, user_id, event_id, parent_id, content, created_at) values (coalesce(?::uuid, uuidv7()), ?, ?, ?, ?, ?)
       on conflict (id) do nothing returning id`,
      [body.ref ?? null, member.id, event, parent, body.content, site.now()],
    )
    const [row]: Row[] = await em.execute(
      `${SELECT} where comment.id = ? and comment.user_id = ? and event_id = ? and parent_id is not distinct from ?::uuid and content = ?`,
      [member.id, member.id, created?.id ?? body.ref, member.id, event, parent, body.content],
    )
    if (!row) throw new ServiceError('duplicate_ref')
    if (created) await notifyOfAnswer(em, created.id, site.now())
    return view(row)
  })
}

/** Deletes the member's comment; its text is gone for good. Throws `comment_not_found`, also for another member's. */
export function deleteComment(
  platform: Platform,
  member: Member,
  { params }: Pick<Parts<'deleteComment'>, 'params'>,
): Promise<{ success: true }> {
  return platform.em().transactional(async (em) => {
    const deleted = await em.execute(
      `update comment set content = '', deleted_at = coalesce(deleted_at, ?) where id = ? and user_id = ? returning id`,
      [platform.now(), params.id, member.id],
    )
    if (deleted.length === 0) throw new ServiceError('comment_not_found')
    await forgetAnswer(em, params.id)
    return { success: true } as const
  })
}

/** Likes a comment, or takes the like back. Throws `account_banned` and `comment_not_found`. */
export function likeComment(
  platform: Platform,
  member: Member,
  { params, body }: Pick<Parts<'likeComment'>, 'params' | 'body'>,
): Promise<Output<Operations['likeComment']>> {
  return platform.em().transactional(async (em) => {
    await requireComment(em, params.id)
    if (body.like) await mark(em, params.id, member, 'like', platform.now())
    else await em.execute(`delete from comment_mark where comment_id = ? and user_id = ? and kind = 'like'`, [params.id, member.id])
    const [row]: { likes_count: number }[] = await em.execute('select likes_count from comment where id = ?', [params.id])
    return { liked: body.like, likes_count: row!.likes_count }
  })
}

/** Reports a comment, once per member. Throws `account_banned` and `comment_not_found`. */
export function reportComment(
  platform: Platform,
  member: Member,
  { params }: Pick<Parts<'reportComment'>, 'params'>,
): Promise<{ success: true }> {
  return platform.em().transactional(async (em) => {
    await requireComment(em, params.id)
    await mark(em, params.id, member, 'report', platform.now())
    return { success: true }
  })
}

async function mark(em: EntityManager, comment: string, member: Member, kind: 'like' | 'report', now: Date): Promise<void> {
  if (member.banned) throw new ServiceError('account_banned')
  await em.execute('insert into comment_mark (comment_id, user_id, kind, created_at) values (?, ?, ?, ?) on conflict do nothing', [
    comment,
    member.id,
    kind,
    now,
  ])
}

async function requireSeen(site: Site, viewer: Viewer, event: string): Promise<void> {
  if ((await hiddenFrom(site, viewer, { event })).size > 0) throw new ServiceError('event_not_found')
}

async function eventId(em: EntityManager, slug: string): Promise<string> {
  const [event]: { id: string }[] = await em.execute(`select id from event where slug = ? and status <> 'draft'`, [slug])
  if (!event) throw new ServiceError('event_not_found')
  return event.id
}

async function requireComment(em: EntityManager, id: string, also = 'true', values: unknown[] = []): Promise<void> {
  const found = await em.execute(`select from comment where id = ? and deleted_at is null and ${also}`, [id, ...values])
  if (found.length === 0) throw new ServiceError('comment_not_found')
}
