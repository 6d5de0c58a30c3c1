import { defineEntity, p } from '@mikro-orm/core'
import { hexColumn, lotsColumn, priceColumn, usdcColumn } from '../columns.ts'
import { bytesCheck, factKey } from './fact.ts'

const schema = defineEntity({
  name: 'Fill',
  tableName: 'fill',
  checks: [
    { name: 'fill_ids', expression: bytesCheck(32, 'condition_id', 'taker_order_id', 'maker_order_id') },
    { name: 'fill_accounts', expression: bytesCheck(20, 'taker_account', 'maker_account') },
    { name: 'fill_amounts', expression: 'lots >= 1 and fee >= 0 and n >= 1 and trade_n between 1 and n' },
    {
      // The kind determines which tokens change hands; in a mint or merge the two prices add up to one USDC.
      name: 'fill_kind',
      expression: `case kind
        when 'direct' then taker_outcome = maker_outcome and taker_side <> maker_side and taker_price = maker_price
        when 'mint' then taker_outcome <> maker_outcome and taker_side = 'BUY' and maker_side = 'BUY' and taker_price + maker_price = 10000
        else taker_outcome <> maker_outcome and taker_side = 'SELL' and maker_side = 'SELL' and taker_price + maker_price = 10000 end`,
    },
    { name: 'fill_prices', expression: 'taker_price between 1 and 9999 and maker_price between 1 and 9999' },
  ],
  indexes: [
    { name: 'fill_by_maker', expression: 'create index fill_by_maker on fill (maker_account, seq desc, n desc)' },
    { name: 'fill_by_maker_order', expression: 'create index fill_by_maker_order on fill (maker_order_id)' },
  ],
  properties: {
    ...factKey(),
    /** The trade this fill belongs to: number of its first fill. */
    tradeN: p.integer(),
    conditionId: hexColumn(),
    kind: p.enum(['direct', 'mint', 'merge'] as const),
    lots: lotsColumn(),
    /** Of the taker. */
    fee: usdcColumn(),
    takerOrderId: hexColumn(),
    takerAccount: hexColumn(),
    takerOutcome: p.smallint(),
    takerSide: p.enum(['BUY', 'SELL'] as const),
    takerPrice: priceColumn(),
    makerOrderId: hexColumn(),
    makerAccount: hexColumn(),
    makerOutcome: p.smallint(),
    makerSide: p.enum(['BUY', 'SELL'] as const),
    makerPrice: priceColumn(),
  },
})

/** Fact: a match of one maker order with one taker order, each with the price of its own token. */
export class Fill extends schema.class {}
schema.setClass(Fill)
