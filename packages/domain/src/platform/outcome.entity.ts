import { defineEntity, p } from '@mikro-orm/core'
import { Market } from './market.entity.ts'

export const outcomeSchema = defineEntity({
  name: 'Outcome',
  tableName: 'outcome',
  checks: [
    { name: 'outcome_token_form', expression: `token_id ~ '^[1-9][0-9]{0,77}$'` },
    { name: 'outcome_index', expression: 'index in (0, 1)' },
    { name: 'outcome_text_length', expression: 'length(text) >= 1 and length(text) <= 100' },
  ],
  uniques: [{ name: 'outcome_index_unique', properties: ['market', 'index'] }],
  properties: {
    tokenId: p.text().primary(),
    market: () => p.manyToOne(Market).deleteRule('cascade'),
    /** 0 is Yes, 1 is No. */
    index: p.smallint(),
    text: p.text(),
  },
})

/** An outcome token of a market. */
export class Outcome extends outcomeSchema.class {}
outcomeSchema.setClass(Outcome)
