import { OWN_MARKETS } from '@augury/wire/limits'

/**
 * What a member has or did in the markets of an event: as many of these at once as may be named, so that what is elsewhere does not crowd it
 * out of a page of rows, however many markets the event has. The largest by `size` come first, as in one answer.
 */
export async function readOfMarkets<Row>(
  conditionIds: Iterable<string>,
  size: (row: Row) => number,
  read: (market: string[]) => Promise<Row[]>,
): Promise<Row[]> {
  const ids = [...conditionIds]
  const parts = Array.from({ length: Math.ceil(ids.length / OWN_MARKETS) }, (_, n) => ids.slice(n * OWN_MARKETS, (n + 1) * OWN_MARKETS))
  const rows = (await Promise.all(parts.map(read))).flat()
  return rows.sort((one, other) => size(other) - size(one))
}

/** The size of a position: what it is worth. */
export const worth = ({ currentValue }: { currentValue: number }): number => currentValue
/** The size of a trade: how late it was. */
export const time = ({ timestamp }: { timestamp: number }): number => timestamp
