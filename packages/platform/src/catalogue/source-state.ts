/** What a source says of whether an event or a market trades there. */
export interface SourceState {
  active?: boolean
  closed?: boolean
  archived?: boolean
  acceptingOrders?: boolean
  enableOrderBook?: boolean
  closedTime?: Date
  umaResolutionStatus?: string
}

/** Why something does not trade at its source. `wins` is the outcome that was decided there: 0 is the first, null is unknown. */
export interface NotOpen {
  why: 'decided' | 'closed' | 'archived' | 'inactive' | 'without an order book' | 'not accepting orders'
  wins: 0 | 1 | null
}

/** Returns why an event or a market does not trade at its source, or null where it does. */
export function notOpen(state: SourceState, prices?: readonly [number, number]): NotOpen | null {
  const wins = prices?.[0] === 1 && prices[1] === 0 ? 0 : prices?.[0] === 0 && prices[1] === 1 ? 1 : null
  if (wins !== null || state.umaResolutionStatus?.toLowerCase() === 'resolved') return { why: 'decided', wins }
  if (state.archived === true) return { why: 'archived', wins }
  if (state.closed === true || state.closedTime !== undefined) return { why: 'closed', wins }
  if (state.active === false) return { why: 'inactive', wins }
  if (state.enableOrderBook === false) return { why: 'without an order book', wins }
  if (state.acceptingOrders === false) return { why: 'not accepting orders', wins }
  return null
}

const ROLES =
  `person|player|team|candidate|company|country|artist|actor|movie|film|song|album|party|option|outcome|club|driver|nominee|individual|athlete|
  name|city|state|coach|manager|model|show|game|choice`.replace(/\s/g, '')
const PLACEHOLDER = new RegExp(
  `^(the )?(${ROLES}|other) ([a-z]{1,2}|\\d+)$|^(tb[acd]|placeholder|to be (announced|determined|confirmed))\\b`,
  'i',
)

/** Returns whether a name stands for a person who is not known yet, such as “Person B” or “TBD”. */
export const isPlaceholder = (name: string): boolean => PLACEHOLDER.test(name.trim())
