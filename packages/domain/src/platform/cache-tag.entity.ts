import { defineEntity, p } from '@mikro-orm/core'
import { SafeInteger } from '../columns.ts'

const schema = defineEntity({
  name: 'CacheTag',
  tableName: 'cache_tag',
  checks: [
    { name: 'cache_tag_form', expression: `tag ~ '^[a-z-]{1,40}$'` },
    { name: 'cache_tag_generation', expression: 'generation >= 1' },
  ],
  properties: {
    tag: p.text().primary(),
    /** Generation of the tag: grows with every invalidation. */
    generation: p.type(SafeInteger),
  },
})

/** A tag of cached lists; its generation is part of their keys, so that a new one invalidates them in every process. */
export class CacheTag extends schema.class {}
schema.setClass(CacheTag)
