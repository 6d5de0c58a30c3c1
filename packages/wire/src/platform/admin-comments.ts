import { z } from 'zod'
import { operation } from '../operation.ts'
import { publicQuery, yes } from '../query.ts'
import { actor, byId, counted, listQuery, success, time } from './admin-envelope.ts'

const row = z.object({
  id: z.uuid(),
  event: z.object({ slug: z.string(), title: z.string() }),
  user: actor.extend({ banned: z.boolean() }),
  content: z.string(),
  is_answer: z.boolean(),
  likes_count: z.int(),
  /** Reports since an admin last kept it. */
  reports_count: z.int(),
  reported_at: time.nullable(),
  created_at: time,
})

/** Moderation of comments. */
export const adminCommentOperations = {
  adminComments: operation({
    method: 'GET',
    path: '/admin/api/comments',
    auth: 'admin',
    summary: 'Comments of members, searched by words or author, most reported first. With `reported`, only reported ones.',
    query: publicQuery({
      ...listQuery,
      reported: yes.describe('`true` for reported comments only.'),
    }),
    output: counted(row),
    refusals: ['invalid_sort_by'],
    repeatable: true,
  }),
  adminRemoveComment: operation({
    method: 'DELETE',
    path: '/admin/api/comments/{id}',
    auth: 'admin',
    summary: 'Deletes the text of a comment for good. Answers to it stay.',
    params: byId,
    output: success,
    refusals: ['comment_not_found', 'step_up_required'],
    repeatable: true,
  }),
  adminKeepComment: operation({
    method: 'POST',
    path: '/admin/api/comments/{id}/keep',
    auth: 'admin',
    summary: 'Keeps a comment and dismisses its reports.',
    params: byId,
    output: success,
    refusals: ['comment_not_found'],
    repeatable: true,
  }),
} as const
