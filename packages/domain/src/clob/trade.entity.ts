import { defineEntity, p } from '@mikro-orm/core'
import { hexColumn, lotsColumn, priceColumn, usdcColumn } from '../columns.ts'
import { bytesCheck, factKey } from './fact.ts'

const schema = defineEntity({
  name: 'Trade',
  tableName: 'trade',
  checks: [
    { name: 'trade_ids', expression: bytesCheck(32, 'condition_id', 'taker_order_id') },
    { name: 'trade_account', expression: bytesCheck(20, 'taker_account') },
    { name: 'trade_amounts', expression: 'outcome in (0, 1) and price between 1 and 9999 and lots >= 1 and fee >= 0 and fee_bps >= 0' },
  ],
  indexes: [
    { name: 'trade_by_taker', expression: 'create index trade_by_taker on trade (taker_account, seq desc, n desc)' },
    { name: 'trade_by_condition', expression: 'create index trade_by_condition on trade (condition_id, seq desc, n desc)' },
  ],
  properties: {
    ...factKey(),
    conditionId: hexColumn(),
    takerOrderId: hexColumn(),
    takerAccount: hexColumn(),
    outcome: p.smallint(),
    side: p.enum(['BUY', 'SELL'] as const),
    price: priceColumn(),
    lots: lotsColumn(),
    fee: usdcColumn(),
    feeBps: p.smallint(),
  },
})

/** Fact: the fills of one taker at one price as one trade, in the taker's token with the taker's side. */
export class Trade extends schema.class {}
schema.setClass(Trade)
