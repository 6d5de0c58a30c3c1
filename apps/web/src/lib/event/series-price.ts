import { NoAnswerError, RefusedError } from '@augury/client/answer'
import { siteQuery } from '#lib/failure/site-call.ts'

/** The price to beat and the current one of a series window, by the slug of its event; null where nothing answers. */
export async function readSeriesPrice(slug: string): Promise<{ toBeat: number | null; now: number | null } | null> {
  try {
    const series = await siteQuery('seriesOfEvent', { query: { slug } })
    if (!series) return null
    const mine = series.windows.find(({ event_slug }) => event_slug === slug)
    return { toBeat: mine?.opening_price ?? null, now: series.feed.live_price ?? series.feed.latest_price }
  } catch (error) {
    if (error instanceof NoAnswerError || error instanceof RefusedError) return null
    throw error
  }
}
