import { defineEntity, p } from '@mikro-orm/core'
import { hexColumn, seqColumn } from '../columns.ts'
import { bytesCheck } from './fact.ts'

const schema = defineEntity({
  name: 'DroppedNotification',
  tableName: 'dropped_notification',
  checks: [{ name: 'dropped_notification_account', expression: bytesCheck(20, 'account') }],
  properties: {
    account: hexColumn().primary(),
    id: seqColumn().primary(),
    droppedAt: p.datetime(3).defaultRaw('now()'),
  },
})

/** A notification that its account has dismissed for good. */
export class DroppedNotification extends schema.class {}
schema.setClass(DroppedNotification)
