import type { Hex, Place } from '@augury/engine/command'
import type { OrderField } from '@augury/engine/order-fields'

const next = <T>(values: readonly T[], value: T): T => values[(values.indexOf(value) + 1) % values.length]!
const another = (key: Hex): Hex => `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}` as Hex

/** Another value for every field of an order. */
const CHANGED: { readonly [F in OrderField]: (place: Place) => Place[F] } = {
  orderId: ({ orderId }) => another(orderId),
  account: ({ account }) => another(account),
  condition: ({ condition }) => another(condition),
  outcome: ({ outcome }) => (outcome === 0 ? 1 : 0),
  side: ({ side }) => (side === 'BUY' ? 'SELL' : 'BUY'),
  orderType: ({ orderType }) => next(['GTC', 'GTD', 'FOK', 'FAK'], orderType),
  price: ({ price }) => price + 1,
  lots: ({ lots }) => lots + 1,
  budget: ({ budget }) => budget + 1,
  expiration: ({ expiration }) => expiration + 1,
  postOnly: ({ postOnly }) => !postOnly,
  selfTrade: ({ selfTrade }) => next(['expire_maker', 'expire_taker', 'expire_both', 'decrement', 'none'], selfTrade),
  deployment: ({ account, deployment }) => (deployment === null ? account : null),
  annex: ({ annex }) => (annex.length === 0 ? Uint8Array.of(1) : annex.subarray(1)),
}

/** The names of `CHANGED`. */
export const CHANGEABLE = Object.keys(CHANGED) as OrderField[]

/** A placement with another value of one field, and all else as it was. */
export const changedPlace = (place: Place, field: OrderField): Place => ({ ...place, [field]: CHANGED[field](place) })
