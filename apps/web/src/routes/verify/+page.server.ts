import { placeOf } from '@augury/platform/chain/place'
import { readStatus, withFallback } from '#lib/server/exchange.ts'
import type { PageServerLoad } from './$types'

/** Number of roots that a browser checks: hourly for two days. */
const ROOTS = 48

export const load: PageServerLoad = async ({ locals: { exchange, platform, site } }) => {
  const [roots, status, place] = await Promise.all([
    withFallback(null, exchange.listStateRoots({ query: { limit: ROOTS } })),
    readStatus(exchange),
    placeOf(site),
  ])
  return { place, roots: roots?.data ?? null, seq: status?.seq ?? null, now: platform.now().getTime() }
}
