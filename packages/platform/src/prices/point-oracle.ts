import { z } from 'zod'
import type { Mark } from './choose-prices.ts'
import { alignDown, lengthOf } from './intervals.ts'
import { type Oracle, OracleError } from './oracle.ts'
import type { AskService } from './price-service.ts'

/** An update of an oracle: a whole number, a power of ten, and the second in which it was published. */
const update = z.object({
  id: z.string(),
  price: z.object({ price: z.string().regex(/^\d{1,20}$/), expo: z.int().min(-18).max(6), publish_time: z.int().positive() }),
})
const updates = z.object({ parsed: z.array(update).max(100) })

/** Seconds before a boundary from which an update counts as the price at the boundary. */
const FRESH_SECONDS = 10

interface Point {
  price: number
  /** Unix milliseconds. */
  timestamp: number
}

/**
 * An oracle that publishes every few moments and keeps its past: `{address}/v2/updates/price/{second}` returns the first update from that
 * second on, and `…/latest` the last one. The price at a boundary is the last update up to it, at most ten seconds old.
 */
export function pointOracle(name: string, address: string, ask: AskService): Oracle {
  const read = async (when: number | 'latest', id: string): Promise<Point> => {
    const bare = id.replace(/^0x/, '').toLowerCase()
    const { parsed } = await ask(`${address}/v2/updates/price/${when}?ids%5B%5D=${encodeURIComponent(id)}&parsed=true`, updates)
    const found = parsed.find((each) => each.id.replace(/^0x/, '').toLowerCase() === bare)
    if (!found) throw new OracleError(`no price of ${id}`)
    const { price, expo, publish_time } = found.price
    if (when !== 'latest' && publish_time < when) throw new OracleError(`an update from before ${when}: ${publish_time}`)
    return { price: Number(`${price}e${expo}`), timestamp: publish_time * 1000 }
  }

  /** The last update up to a boundary, of its second or of the seconds before. Null when there is none. */
  const at = async (id: string, boundary: number): Promise<Point | null> => {
    let last: Point | null = null
    // The second of the last one is halved down to; that of the boundary itself comes first, as it nearly always has one.
    let [from, to] = [boundary / 1000 - FRESH_SECONDS, boundary / 1000]
    for (let second = to; from <= to; second = Math.ceil((from + to) / 2)) {
      const point = await read(second, id)
      if (point.timestamp <= boundary) {
        last = point
        from = point.timestamp / 1000 + 1
      } else to = second - 1
    }
    return last
  }

  return {
    name,
    simulated: false,
    most: 12,
    async settled(id, interval, after, until) {
      const marks: Mark[] = []
      let failure: OracleError | undefined
      for (let end = alignDown(after, interval) + lengthOf(interval); end <= until; end += lengthOf(interval)) {
        try {
          const point = await at(id, end)
          if (point) marks.push({ windowEnd: end, price: point.price, sourceTimestamp: point.timestamp })
        } catch (error) {
          if (!(error instanceof OracleError)) throw error
          failure ??= error // a failed boundary does not cost the others
        }
      }
      if (marks.length === 0 && failure) throw failure
      return marks
    },
    async live(id, interval, now) {
      const start = alignDown(now, interval)
      const [opening, last] = [await at(id, start), await read('latest', id)]
      if (!opening) return null
      return { start, end: start + lengthOf(interval), openingPrice: opening.price, price: last.price, timestamp: last.timestamp }
    },
  }
}
