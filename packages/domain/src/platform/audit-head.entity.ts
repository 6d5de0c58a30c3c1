import { defineEntity, p } from '@mikro-orm/core'

export const auditHeadSchema = defineEntity({
  name: 'AuditHead',
  tableName: 'audit_head',
  checks: [{ name: 'audit_head_only_one', expression: 'id = 1 and position >= 0 and octet_length(hash) = 32' }],
  properties: {
    id: p.smallint().primary().autoincrement(false),
    position: p.integer(),
    hash: p.blob(),
  },
})

/** The end of the audit log's chain. Written only by the database's own trigger. */
export class AuditHead extends auditHeadSchema.class {}
auditHeadSchema.setClass(AuditHead)
