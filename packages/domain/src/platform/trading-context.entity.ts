import { defineEntity, p } from '@mikro-orm/core'
import { hexColumn } from '../columns.ts'
import { User } from './user.entity.ts'

export const tradingContextSchema = defineEntity({
  name: 'TradingContext',
  tableName: 'trading_context',
  checks: [
    { name: 'trading_context_slot', expression: 'slot >= 0 and slot < 5' },
    { name: 'trading_context_hash_length', expression: 'octet_length(context_hash) = 32' },
  ],
  uniques: [{ name: 'trading_context_hash_unique', properties: ['user', 'contextHash'] }],
  properties: {
    user: () => p.manyToOne(User).primary().deleteRule('cascade'),
    /** One of the five places that a member has for devices. */
    slot: p.smallint().primary(),
    /** SHA-256 of the token that only the device has. */
    contextHash: hexColumn(),
    createdAt: p.datetime(3),
  },
})

/** A device on which a member enabled trading. */
export class TradingContext extends tradingContextSchema.class {}
tradingContextSchema.setClass(TradingContext)
