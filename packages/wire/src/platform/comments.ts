import { z } from 'zod'
import { DEEPEST_EVENT } from '../limits.ts'
import { operation } from '../operation.ts'
import { choice, flag, limit, offset, publicQuery } from '../query.ts'
import { address, checksumAddress } from '../scalars.ts'
import { shownText } from '../text.ts'

const iso = z.iso.datetime()
const id = z.object({ id: z.uuid() })
const success = z.object({ success: z.literal(true) })
const member = { auth: 'member', budget: 'comments' } as const

/** A comment on an event. `content` is empty once deleted; `liked` and `own` refer to the calling member. */
export const comment = z.object({
  id: z.string(),
  parent: z.string().nullable(),
  content: z.string(),
  deleted: z.boolean(),
  user: z.object({ username: z.string().nullable(), address: checksumAddress, image: z.string() }),
  likes_count: z.int(),
  replies_count: z.int(),
  liked: z.boolean(),
  own: z.boolean(),
  created_at: iso,
})

/** A comment as everybody may read it, whichever event it is about. */
const latestComment = comment.pick({ id: true, parent: true, content: true, user: true, likes_count: true, created_at: true }).extend({
  /** Slug. */
  event: z.string(),
  /** Who wrote the comment that this one answers. */
  reply_to: checksumAddress.nullable(),
})

/** Comments on events. */
export const commentOperations = {
  listComments: operation({
    method: 'GET',
    path: '/api/comments',
    auth: 'optional',
    summary: 'Comments on an event, or answers to a comment, newest or most liked first.',
    query: publicQuery({
      event: z.string('expected the slug of an event').min(1, 'expected the slug of an event').max(200).describe('Slug of the event.'),
      parent: z.uuid().optional().describe('Id of a comment whose answers are meant.'),
      sort: choice(['newest', 'likes'], 'newest').describe('Which come first.'),
      offset: offset(DEEPEST_EVENT),
      limit: limit(50, 20),
    }),
    output: z.array(comment),
    refusals: ['event_not_found'],
    repeatable: true,
  }),
  listLatestComments: operation({
    method: 'GET',
    path: '/api/latest-comments',
    auth: 'public',
    budget: 'activity',
    summary: 'Comments on all events that are not hidden, answers included, newest first.',
    query: publicQuery({
      event: z.string().max(200).optional().describe('Slug of the event.'),
      user: address.optional().describe('Address of the author.'),
      id: z.uuid().optional().describe('Id of one comment.'),
      ascending: flag.default(false).describe('Whether the oldest come first.'),
      offset: offset(DEEPEST_EVENT),
      limit: limit(100, 50),
    }),
    output: z.array(latestComment),
    refusals: [],
    repeatable: true,
  }),
  addComment: operation({
    ...member,
    method: 'POST',
    path: '/api/comments',
    summary: 'Posts a comment on an event, or an answer to a top-level comment.',
    body: z.strictObject({
      /** Slug. */
      event: z.string().min(1).max(200),
      content: shownText(2000).trim().min(1),
      parent: z.uuid().optional(),
      /** The comment’s id, which makes the request idempotent. */
      ref: z.uuid().optional(),
    }),
    output: comment,
    refusals: ['event_not_found', 'comment_not_found', 'account_banned', 'duplicate_ref'],
    repeatable: false,
  }),
  deleteComment: operation({
    ...member,
    method: 'DELETE',
    path: '/api/comments/{id}',
    summary: 'Deletes the member’s comment.',
    params: id,
    output: success,
    refusals: ['comment_not_found'],
    repeatable: true,
  }),
  likeComment: operation({
    ...member,
    method: 'POST',
    path: '/api/comments/{id}/like',
    summary: 'Likes a comment, or with `{like: false}` removes the like.',
    params: id,
    body: z.strictObject({ like: z.boolean().default(true) }).default({ like: true }),
    output: z.object({ liked: z.boolean(), likes_count: z.int() }),
    refusals: ['comment_not_found', 'account_banned'],
    repeatable: true,
  }),
  reportComment: operation({
    ...member,
    method: 'POST',
    path: '/api/comments/{id}/report',
    summary: 'Reports a comment to the admins of the site.',
    params: id,
    output: success,
    refusals: ['comment_not_found', 'account_banned'],
    repeatable: true,
  }),
} as const

export type CommentView = z.output<typeof comment>
export type LatestComment = z.output<typeof latestComment>
export type LatestCommentsQuery = z.input<typeof commentOperations.listLatestComments.query>
