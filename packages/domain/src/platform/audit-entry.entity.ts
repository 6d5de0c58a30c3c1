import { defineEntity, p } from '@mikro-orm/core'
import { User } from './user.entity.ts'

const schema = defineEntity({
  name: 'AuditEntry',
  tableName: 'audit_log',
  checks: [{ name: 'audit_log_action_form', expression: `action ~ '^[a-z]+(_[a-z]+)*$'` }],
  indexes: [{ name: 'audit_log_by_subject', expression: 'create index audit_log_by_subject on audit_log (subject_id, id desc)' }],
  properties: {
    id: p.uuid().primary().defaultRaw('uuidv7()'),
    at: p.datetime(3),
    /** Who did it; null for nobody who was signed in. */
    actor: () => p.manyToOne(User).nullable().deleteRule('set null').index(),
    /** The member it was done to, if any. */
    subject: () => p.manyToOne(User).nullable().deleteRule('set null'),
    action: p.text(),
    clientAddress: p.text(),
    /** Never a secret. */
    details: p.json<Record<string, unknown>>().default('{}'),
  },
})

/** Something about accounts or settings that somebody may have to answer for. */
export class AuditEntry extends schema.class {}
schema.setClass(AuditEntry)
