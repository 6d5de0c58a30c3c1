import { defineEntity, p } from '@mikro-orm/core'
import { SafeInteger } from '../columns.ts'
import { User } from './user.entity.ts'

const schema = defineEntity({
  name: 'NoticeCursor',
  tableName: 'notice_cursor',
  checks: [{ name: 'notice_cursor_not_negative', expression: 'seq >= 0' }],
  properties: {
    user: () => p.oneToOne(User).primary().deleteRule('cascade'),
    /** Position in the exchange's log up to which the member was notified. */
    seq: p.type(SafeInteger),
    /** Timeline of that position; null where it was stored before timelines were. */
    epoch: p.integer().nullable(),
  },
})

/** How far a member has been notified of events at the exchange. */
export class NoticeCursor extends schema.class {}
schema.setClass(NoticeCursor)
