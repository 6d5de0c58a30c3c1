import { readStatus, withFallback } from '#lib/server/exchange.ts'
import type { PageServerLoad } from './$types'

/** Number of roots that a browser checks: hourly for two days. */
const ROOTS = 48

export const load: PageServerLoad = async ({ locals: { exchange, platform } }) => {
  const [roots, status] = await Promise.all([
    withFallback(null, exchange.listStateRoots({ query: { limit: ROOTS } })),
    readStatus(exchange),
  ])
  return { roots: roots?.data ?? null, seq: status?.seq ?? null, now: platform.now().getTime() }
}
