/** The top of a token's book and its last trade, in steps; null where there is none. */
export interface Quote {
  bid: number | null
  ask: number | null
  last: number | null
}

/** The widest spread, in steps, whose midpoint says something: 0.10. */
const TRUSTED_SPREAD = 1000

/**
 * The one price that lists, charts and portfolios show, in steps (it may end in a half). A tight book speaks by its midpoint, a wide
 * or one-sided one only when nothing was ever traded. The other token shows what is left of one USDC. Null without order and trade: then
 * there is no price.
 */
export function displayedPrice({ bid, ask, last }: Quote): number | null {
  if (bid === null || ask === null) return last ?? bid ?? ask
  const midpoint = (bid + ask) / 2
  return ask - bid <= TRUSTED_SPREAD ? midpoint : (last ?? midpoint)
}
