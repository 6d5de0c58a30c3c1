import { NoAnswerError, RefusedError } from '@augury/client/answer'
import type { VenueClient } from '@augury/client/rest'
import type { ProfitPoint } from '@augury/wire/data'
import type { Range } from '#lib/charts/range.ts'

const SPANS: Record<Range, number | null> = {
  '1h': 3_600_000,
  '6h': 21_600_000,
  '1d': 86_400_000,
  '1w': 604_800_000,
  '1m': 2_592_000_000,
  all: null,
}

/**
 * The profit of an address over a range that ends at `now`, in Unix milliseconds, with the profit that is shown beside it; empty before the
 * first deposit, null while the exchange does not answer.
 */
export async function readPerformance(
  exchange: VenueClient,
  { address: user, now, profit }: { address: string; now: number; profit: number },
  range: Range,
): Promise<ProfitPoint[] | null> {
  const span = SPANS[range]
  try {
    const points = await exchange.getProfitHistory({
      query: { user, ...(span === null ? {} : { startTs: Math.floor((now - span) / 1000) }) },
    })
    return points.map((point, n) => (n === points.length - 1 ? { ...point, profit } : point))
  } catch (error) {
    if (error instanceof NoAnswerError || error instanceof RefusedError) return null
    throw error
  }
}
