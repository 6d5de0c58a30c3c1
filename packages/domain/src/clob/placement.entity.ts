import { defineEntity, p } from '@mikro-orm/core'
import { hexColumn, lotsColumn, priceColumn, seqColumn, usdcColumn } from '../columns.ts'
import { bytesCheck, factKey } from './fact.ts'

/** The states of an order. */
export const ORDER_STATES = ['live', 'partially_filled', 'filled', 'cancelled', 'expired', 'rejected'] as const

const schema = defineEntity({
  name: 'Placement',
  tableName: 'placement',
  checks: [
    { name: 'placement_ids', expression: bytesCheck(32, 'order_id', 'condition_id') },
    { name: 'placement_account', expression: bytesCheck(20, 'account') },
    { name: 'placement_terms', expression: 'outcome in (0, 1) and price between 1 and 9999 and lots >= 0 and expiration >= 0' },
    { name: 'placement_first', expression: 'first_matched between 0 and lots and first_cost >= 0 and first_fee >= 0 and first_fills >= 0' },
    { name: 'placement_annex_length', expression: 'octet_length(annex) <= 160' },
  ],
  uniques: [{ name: 'placement_once', properties: ['stream', 'orderId'] }],
  indexes: [
    { name: 'placement_by_account', expression: 'create index placement_by_account on placement (account, seq desc, n desc)' },
    {
      name: 'placement_by_client_order_id',
      expression:
        'create index placement_by_client_order_id on placement (stream, account, client_order_id) where client_order_id is not null',
    },
  ],
  properties: {
    ...factKey(),
    orderId: hexColumn(),
    account: hexColumn(),
    conditionId: hexColumn(),
    outcome: p.smallint(),
    side: p.enum(['BUY', 'SELL'] as const),
    orderType: p.enum(['GTC', 'GTD', 'FOK', 'FAK'] as const),
    /** Steps of the order's own token. */
    price: priceColumn(),
    /** As placed; for an order by budget, the lots it got. */
    lots: lotsColumn(),
    /** What it may spend, 0 for an order by lots. */
    budget: usdcColumn().default(0),
    /** Unix seconds, 0 for none. */
    expiration: seqColumn(),
    postOnly: p.boolean(),
    firstMatched: lotsColumn(),
    firstCost: usdcColumn(),
    firstFee: usdcColumn(),
    firstFills: p.integer(),
    firstState: p.enum(ORDER_STATES),
    clientOrderId: p.text().nullable(),
    /** The annex: what the gateway stored with the order. */
    annex: p.blob(),
  },
})

/** Fact: an order as placed, and its immediate result. */
export class Placement extends schema.class {}
schema.setClass(Placement)
