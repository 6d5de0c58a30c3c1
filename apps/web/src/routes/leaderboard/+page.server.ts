import { loadPeople } from '@augury/platform/activity/people'
import { readOrder, readPeriod } from '#lib/people/leaders.ts'
import { withFallback } from '#lib/server/exchange.ts'
import type { PageServerLoad } from './$types'

/** Rows on the page. */
const SHOWN = 50

export const load: PageServerLoad = async ({ locals: { exchange, platform, viewer }, url }) => {
  const period = readPeriod(url.searchParams.get('period'))
  const order = readOrder(url.searchParams.get('by'))
  const query = { timePeriod: period.toUpperCase(), orderBy: order.toUpperCase(), limit: SHOWN } as const
  const own = viewer.kind === 'member' ? viewer.address : undefined
  const [best, mine] = await Promise.all([
    withFallback(null, exchange.listLeaders({ query })),
    own ? withFallback([], exchange.listLeaders({ query: { ...query, user: own } })) : [],
  ])
  // Whoever is beyond the list finds their place below it.
  const leaders = best && [...best, ...mine.filter(({ rank }) => Number(rank) > best.length)]
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
