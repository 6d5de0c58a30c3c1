/** Most markets that one request for positions or activity may name. */
const NAMED_MOST = 20

/**
 * The markets to name when a member's positions and trades in an event are read, so that what they did elsewhere does not crowd these out of a
 * page of rows. Empty, which asks for all markets, where the event has more than may be named.
 */
export const ownFilter = (conditionIds: Iterable<string>): string[] => {
  const ids = [...conditionIds]
  return ids.length > NAMED_MOST ? [] : ids
}
