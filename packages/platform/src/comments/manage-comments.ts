import { tables } from '@augury/domain/platform/tables'
import type { Input, Output } from '@augury/wire/operation'
import type { CommentView, commentOperations } from '@augury/wire/platform/comments'
import { ServiceError } from '@augury/wire/service-error'
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { getAddress } from 'viem'
import { hiddenFrom } from '../activity/hidden-from.ts'
import type { Member, Viewer } from '../authorization/viewer.ts'
import type { Platform } from '../site/platform.ts'
import type { Site } from '../site/site.ts'
import { forgetAnswer, notifyOfAnswer } from './notify-of-answer.ts'

type Operations = typeof commentOperations
type Parts<Name extends keyof Operations> = Input<Operations[Name]>

/** What is shown of comments to a viewer. */
const shown = (em: EntityManager, viewer: string | null) =>
  tables(em)
    .selectFrom('comment')
    .innerJoin('users', 'users.id', 'comment.user_id')
    .select(['comment.id', 'comment.parent_id as parent', 'content', 'username', 'address', 'image_url as image', 'comment.created_at'])
    .select((eb) => [
      'likes_count',
      eb('deleted_at', 'is not', null).$castTo<boolean>().as('deleted'),
      sql<boolean>`comment.user_id is not distinct from ${viewer}::uuid`.as('own'),
      eb
        .exists(
          eb.selectFrom('comment_mark').whereRef('comment_id', '=', 'comment.id').where('user_id', '=', viewer).where('kind', '=', 'like'),
        )
        .$castTo<boolean>()
        .as('liked'),
      eb
        .selectFrom('comment as answer')
        .select(sql<number>`count(*)::int`.as('count'))
        .whereRef('answer.parent_id', '=', 'comment.id')
        .where('answer.deleted_at', 'is', null)
        .as('replies_count'),
    ])

type Row = Awaited<ReturnType<ReturnType<typeof shown>['executeTakeFirstOrThrow']>>

const view = ({ username, address, image, created_at, replies_count, ...row }: Row): CommentView => ({
  ...row,
  replies_count: replies_count ?? 0,
  user: { username, address: getAddress(address), image },
  created_at: created_at.toISOString(),
})

const idOf = (viewer: Viewer): string | null => (viewer.kind === 'member' ? viewer.id : null)

/** Comments on an event. A deleted one stays, without text, as long as it has answers. Throws `event_not_found`, also for an event that is hidden from the viewer. */
export async function listComments(site: Site, viewer: Viewer, { query }: Pick<Parts<'listComments'>, 'query'>): Promise<CommentView[]> {
  const em = site.em()
  const event = await eventId(em, query.event)
  await requireSeen(site, viewer, query.event)
  const comments = shown(em, idOf(viewer))
    .where('comment.event_id', '=', event)
    .where('comment.parent_id', 'is not distinct from', query.parent ?? null)
  const rows = await tables(em)
    .selectFrom(comments.as('comment'))
    .selectAll()
    .where((eb) => eb.or([eb.not('deleted'), eb('replies_count', '>', 0)]))
    .$if(query.sort === 'likes', (asked) => asked.orderBy('likes_count', 'desc'))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(query.limit)
    .offset(query.offset)
    .execute()
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
    if (parent !== null) await requireComment(em, parent, event)
    const created = await tables(em)
      .insertInto('comment')
      .values({
        ...(body.ref && { id: body.ref }),
        user_id: member.id,
        event_id: event,
        parent_id: parent,
        content: body.content,
        created_at: site.now(),
      })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .returning('id')
      .executeTakeFirst()
    const id = created?.id ?? body.ref
    const row = await shown(em, member.id)
      .where('comment.id', '=', id!)
      .where('comment.user_id', '=', member.id)
      .where('event_id', '=', event)
      .where('parent_id', 'is not distinct from', parent)
      .where('content', '=', body.content)
      .executeTakeFirst()
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
    const deleted = await tables(em)
      .updateTable('comment')
      .set((eb) => ({ content: '', deleted_at: eb.fn.coalesce('deleted_at', eb.val(platform.now())) }))
      .where('id', '=', params.id)
      .where('user_id', '=', member.id)
      .returning('id')
      .execute()
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
    else
      await tables(em)
        .deleteFrom('comment_mark')
        .where('comment_id', '=', params.id)
        .where('user_id', '=', member.id)
        .where('kind', '=', 'like')
        .execute()
    const row = await tables(em).selectFrom('comment').select('likes_count').where('id', '=', params.id).executeTakeFirst()
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
  await tables(em)
    .insertInto('comment_mark')
    .values({ comment_id: comment, user_id: member.id, kind, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

async function requireSeen(site: Site, viewer: Viewer, event: string): Promise<void> {
  if ((await hiddenFrom(site, viewer, { event })).size > 0) throw new ServiceError('event_not_found')
}

async function eventId(em: EntityManager, slug: string): Promise<string> {
  const event = await tables(em).selectFrom('event').select('id').where('slug', '=', slug).where('status', '<>', 'draft').executeTakeFirst()
  if (!event) throw new ServiceError('event_not_found')
  return event.id
}

/** Throws unless there is such a comment; with an event, one of those on it that answers may be given to. */
async function requireComment(em: EntityManager, id: string, event?: string): Promise<void> {
  const found = await tables(em)
    .selectFrom('comment')
    .select('id')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .$if(event !== undefined, (asked) => asked.where('event_id', '=', event!).where('parent_id', 'is', null))
    .executeTakeFirst()
  if (!found) throw new ServiceError('comment_not_found')
}
