import type { Operation, Output } from '@augury/wire/operation'
import { commentOperations, type LatestComment, type LatestCommentsQuery } from '@augury/wire/platform/comments'
import { priceReferenceOperations } from '@augury/wire/platform/price-reference'

/** The latest price of a price series. */
export interface SeriesPrice {
  /** Such as BTC/USD. */
  instrument: string
  value: number
  /** Unix milliseconds. */
  at: number
}

/** What the exchange reads of the site that lists its markets, as any visitor could. */
export interface SiteReader {
  /** Comments on events that everybody may see. */
  comments(asked: LatestCommentsQuery): Promise<readonly LatestComment[]>
  /** The price of a series, for its window that ends at `endsAt`; null without one. */
  price(series: string, endsAt: number): Promise<SeriesPrice | null>
}

/** Milliseconds for an answer of the site. */
const PATIENCE_MS = 3000

/** Asks a public route of the site; null where it has nothing. Throws when it does not answer as documented. */
async function ask<Asked extends Operation>(url: string, { path, output }: Asked, query: object): Promise<Output<Asked> | null> {
  const search = new URLSearchParams(Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])))
  const reply = await fetch(`${url}${path}?${search}`, { signal: AbortSignal.timeout(PATIENCE_MS) })
  if (reply.status === 404) return null
  if (!reply.ok) throw new Error(`the site answers ${reply.status}`)
  return output.parse(await reply.json()) as Output<Asked>
}

/** Reads the site at an address over its public API. */
export const siteReader = (url: string): SiteReader => ({
  comments: async (query) => (await ask(url, commentOperations.listLatestComments, query)) ?? [],
  async price(seriesSlug, eventEndMs) {
    const found = await ask(url, priceReferenceOperations.liveSeries, { seriesSlug, eventEndMs })
    if (found === null || found.latest_price === null) return null
    return { instrument: found.instrument, value: found.latest_price, at: found.latest_source_timestamp_ms }
  },
})
