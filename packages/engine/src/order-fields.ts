import type { Place } from './command.ts'

/** A field of an order. */
export type OrderField = Exclude<keyof Place, 'type'>

/**
 * Every field of an order, and what it means for a placement under an id that is known: it has the same value as before or the placement is
 * refused (`same`), it may differ as the order does not keep it (`free`), or it is the id. The compiler demands each field here, in the naive
 * model, and in the generator of changed placements; a test has engine and model answer for each of them.
 */
export const ORDER_FIELDS: { readonly [F in OrderField]: 'id' | 'same' | 'free' } = {
  orderId: 'id',
  account: 'same',
  condition: 'same',
  outcome: 'same',
  side: 'same',
  orderType: 'same',
  price: 'same',
  lots: 'same',
  budget: 'same',
  expiration: 'same',
  postOnly: 'same',
  selfTrade: 'free',
  deployment: 'free',
  annex: 'free',
}
