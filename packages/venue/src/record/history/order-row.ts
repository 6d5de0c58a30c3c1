import type { OrderView } from '@augury/engine/event'
import { toHex } from '../../base/postgres.ts'

/** What `toOrderView` reads of a placement `p`. */
export const PLACED = `p.order_id, p.account, p.condition_id, p.outcome, p.side, p.order_type, p.price, p.budget, p.expiration, p.post_only, p.seq, p.at, p.annex,
    p.first_matched, p.first_cost, p.first_fee, p.first_fills, p.first_state`

/** An order from a row of PLACED beside `lots`, `matched`, `matched_cost`, `state` and `reason` as of the time that is asked for. */
// biome-ignore lint/suspicious/noExplicitAny: a row of the database
export const toOrderView = (row: any): OrderView => ({
  orderId: toHex(row.order_id),
  account: toHex(row.account),
  condition: toHex(row.condition_id),
  outcome: row.outcome,
  side: row.side,
  orderType: row.order_type,
  price: row.price,
  lots: row.lots,
  budget: row.budget,
  remaining: row.lots - row.matched,
  matched: row.matched,
  matchedCost: row.matched_cost,
  expiration: row.expiration,
  postOnly: row.post_only,
  state: row.state,
  reason: row.reason,
  seq: row.seq,
  at: row.at,
  annex: row.annex,
  first: { matched: row.first_matched, cost: row.first_cost, fee: row.first_fee, fills: row.first_fills, state: row.first_state },
})
