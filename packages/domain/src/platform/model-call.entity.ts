import { defineEntity, p } from '@mikro-orm/core'
import { usdcColumn } from '../columns.ts'
import { User } from './user.entity.ts'

export const modelCallSchema = defineEntity({
  name: 'ModelCall',
  tableName: 'model_call',
  checks: [{ name: 'model_call_counts', expression: 'cost >= 0 and tokens >= 0' }],
  properties: {
    id: p.uuid().primary().defaultRaw('uuidv7()'),
    at: p.datetime(3).index(),
    purpose: p.text(),
    model: p.text(),
    tokens: p.integer(),
    /** Cost in millionths of a US dollar: as reported by the provider, or the most it could have been. */
    cost: usdcColumn(),
    actor: () => p.manyToOne(User).nullable().deleteRule('set null').index(),
  },
})

/** A call of the model, which costs money. */
export class ModelCall extends modelCallSchema.class {}
modelCallSchema.setClass(ModelCall)
