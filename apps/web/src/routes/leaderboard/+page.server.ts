import { loadPeople } from '@augury/platform/activity/people'
import { readOrder, readPeriod } from '#lib/people/leaders.ts'
import { withFallback } from '#lib/server/exchange.ts'
import type { PageServerLoad } from './$types'

/** Rows on the page. */
const SHOWN = 50

export const load: PageServerLoad = async ({ locals: { exchange, platform }, url }) => {
  const period = readPeriod(url.searchParams.get('period'))
  const order = readOrder(url.searchParams.get('by'))
  const query = { timePeriod: period.toUpperCase(), orderBy: order.toUpperCase(), limit: SHOWN } as const
  const leaders = await withFallback(null, exchange.listLeaders({ query }))
  const person = await loadPeople(platform, leaders?.map(({ proxyWallet }) => proxyWallet) ?? [])
  return {
    period,
    order,
    leaders:
      leaders?.map(({ rank, proxyWallet, vol, pnl }) => {
        const { address, username } = person(proxyWallet)
        return { rank, address, username, volume: vol, gain: pnl }
      }) ?? null,
  }
}
