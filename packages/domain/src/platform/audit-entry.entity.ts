import { defineEntity, p } from '@mikro-orm/core'
import { User } from './user.entity.ts'

export const auditEntrySchema = defineEntity({
  name: 'AuditEntry',
  tableName: 'audit_log',
  checks: [
    { name: 'audit_log_action_form', expression: `action ~ '^[a-z]+(_[a-z]+)*$'` },
    { name: 'audit_log_chained', expression: '(position is null) = (hash is null) and octet_length(hash) = 32' },
  ],
  indexes: [
    { name: 'audit_log_by_subject', expression: 'create index audit_log_by_subject on audit_log (subject_id, id desc)' },
    {
      name: 'audit_log_by_target',
      expression: `create index audit_log_by_target on audit_log ((details ->> 'target'), position desc)`,
    },
    { name: 'audit_log_by_action', expression: 'create index audit_log_by_action on audit_log (action, position desc)' },
  ],
  properties: {
    id: p.uuid().primary().defaultRaw('uuidv7()'),
    at: p.datetime(3),
    /** The acting member; null when the request was not signed in. */
    actor: () => p.manyToOne(User).nullable().deleteRule('set null').index(),
    /** The affected member, if any. */
    subject: () => p.manyToOne(User).nullable().deleteRule('set null'),
    action: p.text(),
    clientAddress: p.text(),
    /** Never contains a secret. */
    details: p.json<Record<string, unknown>>().default('{}'),
    /**
     * Position in the chain, from 1 without gaps, and SHA-256 over the previous hash and this entry: both set by the database at commit.
     */
    position: p.integer().nullable().unique(),
    hash: p.blob().nullable(),
  },
})

/** Records a change of accounts or settings with its author. A trigger refuses changes and deletions. */
export class AuditEntry extends auditEntrySchema.class {}
auditEntrySchema.setClass(AuditEntry)
