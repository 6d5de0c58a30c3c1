import { NoAnswerError, RefusedError } from '@augury/client/answer'
import type { VenueClient } from '@augury/client/rest'
import type { Member } from '@augury/platform/identity/viewer'
import { ownHistory } from '@augury/platform/portfolio/own-history'
import type { Site } from '@augury/platform/site'
import type { Activity, Position } from '@augury/wire/data'
import { ServiceError } from '@augury/wire/service-error'
import { type Gain, gains } from '#lib/charts/performance.ts'
import type { Range } from '#lib/charts/range.ts'

const PAGE = 500
/** Most rows used; for members with more, the gain is that of the latest. */
const MOST = 4_000
/** Tokens per request of prices, and in all. */
const BATCH = 20
const TOKENS = 100
const POINTS = 80

const SPANS: Record<Range, number | null> = {
  '1h': 3_600_000,
  '6h': 21_600_000,
  '1d': 86_400_000,
  '1w': 604_800_000,
  '1m': 2_592_000_000,
  all: null,
}

/** The member's gain over a range; empty without trades, null while the exchange does not answer. `positions` is at most a page of them. */
export async function readPerformance(
  { site, exchange }: { site: Site; exchange: VenueClient },
  member: Member,
  positions: readonly Position[],
  range: Range,
): Promise<Gain[] | null> {
  try {
    const all = await everything(site, member)
    if (all.length === 0) return []
    const isWhole = all.length < MOST && positions.length < PAGE
    const rows = isWhole ? all : all.filter(({ type }) => type !== 'CONVERSION')
    const now = site.now().getTime()
    const from = SPANS[range] === null ? rows[0]!.timestamp * 1000 - 60_000 : now - SPANS[range]
    const moments = Array.from({ length: POINTS }, (_, i) => Math.round(from + ((now - from) * i) / (POINTS - 1)))
    return gains(rows, isWhole ? positions : null, await pricesOf(exchange, rows, positions, from, now), moments)
  } catch (error) {
    if (error instanceof NoAnswerError || error instanceof RefusedError || error instanceof ServiceError) return null
    throw error
  }
}

/** Everything that changed what the member holds, oldest first; the latest of it, as many as are walked, where there is more. */
async function everything(site: Site, member: Member): Promise<Activity[]> {
  const rows: Activity[] = []
  for await (const page of ownHistory(site, member, ['TRADE', 'SPLIT', 'MERGE', 'REDEEM', 'CONVERSION'])) {
    rows.push(...page)
    if (rows.length >= MOST) break
  }
  return rows.reverse()
}

/** Price histories of traded and held tokens, by condition and outcome. */
async function pricesOf(exchange: VenueClient, rows: readonly Activity[], positions: readonly Position[], from: number, now: number) {
  const tokens = new Map<string, string>()
  for (const { asset, conditionId, outcomeIndex } of [...rows, ...positions]) {
    if (asset !== '' && tokens.size < TOKENS) tokens.set(asset, `${conditionId}:${outcomeIndex}`)
  }
  const prices = new Map<string, { t: number; p: number }[]>()
  const fidelity = Math.max(1, Math.ceil((now - from) / POINTS / 60_000))
  const ids = [...tokens.keys()]
  for (let i = 0; i < ids.length; i += BATCH) {
    const body = { markets: ids.slice(i, i + BATCH), startTs: Math.floor(from / 1000), endTs: Math.ceil(now / 1000), fidelity }
    const { history } = await exchange.getPriceHistories({ body })
    for (const [token, points] of Object.entries(history)) prices.set(tokens.get(token)!, points)
  }
  // The current price is that of the list of positions.
  for (const { conditionId, outcomeIndex, curPrice, priced } of positions) {
    if (!priced) continue
    const key = `${conditionId}:${outcomeIndex}`
    prices.set(key, [...(prices.get(key) ?? []), { t: Math.floor(now / 1000), p: curPrice }])
  }
  return prices
}
