import { defineEntity, p } from '@mikro-orm/core'
import { hexColumn } from '../columns.ts'

/** What is stored of a condition outside the journal: ids, texts, and the status of its resolution. The engine never sees it. */
const schema = defineEntity({
  name: 'ConditionMetadata',
  tableName: 'condition_metadata',
  checks: [
    { name: 'condition_metadata_condition_length', expression: 'octet_length(condition_id) = 32' },
    { name: 'condition_metadata_creator_length', expression: 'octet_length(creator) = 20' },
    { name: 'condition_metadata_content_length', expression: 'octet_length(content) = 32' },
  ],
  properties: {
    /** Order of registration. */
    id: p.integer().primary().autoincrement(),
    conditionId: hexColumn().unique(),
    creator: hexColumn(),
    record: p.json(),
    /** Hash of the registering request. */
    content: hexColumn(),
  },
})

export class ConditionMetadata extends schema.class {}
schema.setClass(ConditionMetadata)
