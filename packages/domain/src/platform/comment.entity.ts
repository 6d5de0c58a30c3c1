import { defineEntity, p } from '@mikro-orm/core'
import { Event } from './event.entity.ts'
import { User } from './user.entity.ts'

export const commentSchema = defineEntity({
  name: 'Comment',
  tableName: 'comment',
  checks: [
    {
      name: 'comment_content',
      expression:
        '(deleted_at is null and length(content) >= 1 and length(content) <= 2000) or (deleted_at is not null and length(content) = 0)',
    },
    { name: 'comment_not_its_own_answer', expression: 'parent_id <> id' },
  ],
  indexes: [
    { name: 'comment_newest', expression: 'create index comment_newest on comment (event_id, created_at desc, id desc)' },
    {
      name: 'comment_most_liked',
      expression:
        'create index comment_most_liked on comment (event_id, likes_count desc, created_at desc, id desc) where parent_id is null',
    },
  ],
  properties: {
    id: p.uuid().primary().defaultRaw('uuidv7()'),
    user: () => p.manyToOne(User).deleteRule('cascade').index(),
    event: () => p.manyToOne(Event).deleteRule('cascade'),
    /** The comment that this one replies to; replies have none of their own. */
    parent: () => p.manyToOne(Comment).nullable().deleteRule('cascade').index(),
    /** Empty once deleted; replies keep their place. */
    content: p.text(),
    /** Counted by a trigger. */
    likesCount: p.integer().default(0),
    createdAt: p.datetime(3),
    deletedAt: p.datetime(3).nullable(),
    /** When an admin last approved it: earlier reports no longer count. */
    reviewedAt: p.datetime(3).nullable(),
  },
})

/** A member's comment on an event. */
export class Comment extends commentSchema.class {}
commentSchema.setClass(Comment)
