import { defineEntity, p } from '@mikro-orm/core'
import { int8Column } from '../columns.ts'

export const cacheTagSchema = defineEntity({
  name: 'CacheTag',
  tableName: 'cache_tag',
  checks: [
    { name: 'cache_tag_form', expression: `tag ~ '^[a-z-]{1,40}$'` },
    { name: 'cache_tag_generation', expression: 'generation >= 1' },
  ],
  properties: {
    tag: p.text().primary(),
    /** Generation of the tag: grows with every invalidation. */
    generation: int8Column(),
  },
})

/** A tag of cached lists; its generation is part of their keys, so that a new one invalidates them in every process. */
export class CacheTag extends cacheTagSchema.class {}
cacheTagSchema.setClass(CacheTag)
