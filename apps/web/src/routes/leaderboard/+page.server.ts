import { loadPeople } from '@augury/platform/account/people'
import { redirect } from '@sveltejs/kit'
import { leadersHref, PLACES, readOrder, readPeriod, readPlace, SHOWN, withOwn } from '#lib/people/leaders.ts'
import { withFallback } from '#lib/server/exchange.ts'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = async ({ locals: { exchange, platform, viewer }, url }) => {
  const period = readPeriod(url.searchParams.get('period'))
  const order = readOrder(url.searchParams.get('by'))
  const query = { timePeriod: period.toUpperCase(), orderBy: order.toUpperCase(), limit: SHOWN } as const
  const after = readPlace(url.searchParams.get('after'))
  const own = viewer.kind === 'member' ? viewer.address : undefined
  const [best, mine, next] = await Promise.all([
    withFallback(null, exchange.listLeaders({ query: { ...query, offset: after } })),
    own ? withFallback([], exchange.listLeaders({ query: { ...query, user: own } })) : [],
    after + SHOWN < PLACES ? withFallback([], exchange.listLeaders({ query: { ...query, offset: after + SHOWN, limit: 1 } })) : [],
  ])
  // The board became shorter, as the period went on.
  if (best?.length === 0 && after > 0) redirect(303, `/leaderboard${leadersHref(period, order)}`)
  const leaders = best && withOwn(best, mine)
  const person = await loadPeople(platform, leaders?.map(({ proxyWallet }) => proxyWallet) ?? [])
  return {
    period,
    order,
    before: after > 0 ? leadersHref(period, order, after - SHOWN) : null,
    after: next.length > 0 ? leadersHref(period, order, after + SHOWN) : null,
    leaders:
      leaders?.map(({ rank, proxyWallet, vol, pnl }) => {
        const { address, username } = person(proxyWallet)
        return { rank, address, username, volume: vol, gain: pnl }
      }) ?? null,
  }
}
