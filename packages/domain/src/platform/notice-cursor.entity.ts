import { defineEntity, p } from '@mikro-orm/core'
import { int8Column } from '../columns.ts'
import { User } from './user.entity.ts'

export const noticeCursorSchema = defineEntity({
  name: 'NoticeCursor',
  tableName: 'notice_cursor',
  checks: [{ name: 'notice_cursor_not_negative', expression: 'seq >= 0' }],
  properties: {
    user: () => p.oneToOne(User).owner().primary().deleteRule('cascade'),
    /** Position in the exchange's log up to which the member was notified. */
    seq: int8Column(),
    /** Timeline of that position; null where it was stored before timelines were. */
    epoch: p.integer().nullable(),
  },
})

/** How far a member has been notified of events at the exchange. */
export class NoticeCursor extends noticeCursorSchema.class {}
noticeCursorSchema.setClass(NoticeCursor)
