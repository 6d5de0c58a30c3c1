import { OWN_MARKETS } from '@augury/wire/limits'

/**
 * The markets to name when a member's positions and trades in an event are read, so that what they did elsewhere does not crowd these out of a
 * page of rows. Empty, which asks for all markets, where the event has more than may be named.
 */
export const ownFilter = (conditionIds: Iterable<string>): string[] => {
  const ids = [...conditionIds]
  return ids.length > OWN_MARKETS ? [] : ids
}
