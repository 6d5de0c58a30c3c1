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
    /** How often what is kept under the tag was made old. */
    generation: p.type(SafeInteger),
  },
})

/** What processes keep of lists is kept under tags: a tag that is invalidated makes it old everywhere. */
export class CacheTag extends schema.class {}
schema.setClass(CacheTag)
