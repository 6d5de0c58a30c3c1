import { defineEntity, p } from '@mikro-orm/core'
import { Comment } from './comment.entity.ts'
import { User } from './user.entity.ts'

/** Kinds of marks on a comment. */
const COMMENT_MARKS = ['like', 'report'] as const

export const commentMarkSchema = defineEntity({
  name: 'CommentMark',
  tableName: 'comment_mark',
  indexes: [
    {
      name: 'comment_reported',
      expression: `create index comment_reported on comment_mark (created_at, comment_id) where kind = 'report'`,
    },
  ],
  properties: {
    comment: () => p.manyToOne(Comment).primary().deleteRule('cascade'),
    user: () => p.manyToOne(User).primary().deleteRule('cascade').index(),
    kind: p.enum(COMMENT_MARKS).primary(),
    createdAt: p.datetime(3),
  },
})

/** A member's like or report of a comment; one of each kind per member. */
export class CommentMark extends commentMarkSchema.class {}
commentMarkSchema.setClass(CommentMark)
