import { defineEntity, p } from '@mikro-orm/core'
import { usdcColumn } from '../columns.ts'
import { User } from './user.entity.ts'

const schema = defineEntity({
  name: 'ModelCall',
  tableName: 'model_call',
  checks: [{ name: 'model_call_counts', expression: 'cost >= 0 and tokens >= 0' }],
  properties: {
    id: p.uuid().primary().defaultRaw('uuidv7()'),
    at: p.datetime(3).index(),
    purpose: p.text(),
    model: p.text(),
    tokens: p.integer(),
    /** Millionths of a US dollar: what the provider says it took, or what the answer could have cost at most. */
    cost: usdcColumn(),
    actor: () => p.manyToOne(User).nullable().deleteRule('set null').index(),
  },
})

/** A question to the model, which costs money. */
export class ModelCall extends schema.class {}
schema.setClass(ModelCall)
