import { type MarketPictures, pictureIn, picturesOfMarkets } from '@augury/platform/pictures/market-pictures'
import { getFunds, listOwnActivity, listPositions } from '@augury/platform/portfolio/funds'
import { listOpenOrders } from '@augury/platform/trading/open-orders'
import type { Position } from '@augury/wire/data'
import { DEEPEST_ACTIVITY, LAST_CURSOR } from '@augury/wire/limits'
import { redirect } from '@sveltejs/kit'
import { gainOver } from '#lib/charts/gain-over.ts'
import { readRange } from '#lib/charts/range.ts'
import { HISTORY_KINDS, readHistoryKind } from '#lib/portfolio/activity-words.ts'
import { nullIfAway } from '#lib/server/exchange.ts'
import { readPerformance } from '#lib/server/performance.ts'
import { requireMember } from '#lib/server/require-member.ts'
import type { PageServerLoad } from './$types'

const TABS = ['positions', 'orders', 'closed', 'history'] as const
const HISTORY_PAGE = 25
const POSITIONS = 500

/** Loads the member's portfolio and the current tab; null while the exchange is unavailable. */
export const load: PageServerLoad = async ({ locals: { exchange, site, viewer }, url }) => {
  const member = requireMember(viewer, url)
  const tab = TABS.find((each) => each === url.searchParams.get('tab')) ?? 'positions'
  const kind = readHistoryKind(url.searchParams.get('kind'))
  const offset = Math.min(Math.max(0, Math.trunc(Number(url.searchParams.get('offset'))) || 0), DEEPEST_ACTIVITY)
  const range = readRange(url.searchParams.get('range'))
  const known = await nullIfAway(
    Promise.all([
      getFunds(site, member),
      listPositions(site, member, { query: { market: [], limit: POSITIONS, offset: 0 } }),
      listOpenOrders(site, member, { query: {} }),
      tab === 'history'
        ? listOwnActivity(site, member, {
            query: { market: [], type: [...HISTORY_KINDS[kind]], limit: HISTORY_PAGE + 1, offset, groupBy: 'ORDER' },
          })
        : [],
      tab === 'closed'
        ? exchange.listClosedPositions({ query: { user: member.address, limit: HISTORY_PAGE + 1, offset, sortBy: 'TIMESTAMP' } })
        : [],
    ]),
  )
  if (known === null) return { known: null }
  const [funds, positions, orders, rows, closed] = known
  if (tab === 'history' && rows.length === 0 && offset > 0) redirect(303, `/portfolio?tab=history${kind === 'all' ? '' : `&kind=${kind}`}`)
  if (tab === 'closed' && closed.length === 0 && offset > 0) redirect(303, '/portfolio?tab=closed')
  const now = site.now().getTime()
  const of = { address: member.address, now, profit: funds.profit }
  const [profits, day] = await Promise.all([
    readPerformance(exchange, of, range),
    range === '1d' ? null : readPerformance(exchange, of, '1d'),
  ])
  const listed = [...positions, ...rows, ...closed]
  const found = await picturesOfMarkets(
    site,
    listed.map(({ conditionId }) => conditionId),
  )
  return {
    known: {
      tab,
      range,
      profits,
      /** Profit of the last 24 hours in dollars; null while the exchange does not answer, and before there is any. */
      today: gainOver(range === '1d' ? profits : day),
      funds,
      positions,
      /** Paths of pictures by condition id. */
      pictures: Object.fromEntries(listed.map((each) => [each.conditionId, pictureIn(found, each)])),
      ...heldEvents(positions, found),
      orders: orders.data,
      /** Whether there may be more than is listed. */
      more: { positions: positions.length === POSITIONS, orders: orders.next_cursor !== LAST_CURSOR },
      history: {
        rows: rows.slice(0, HISTORY_PAGE),
        kind,
        offset,
        // Beyond the deepest offset there is only the file.
        more: rows.length > HISTORY_PAGE && offset + HISTORY_PAGE <= DEEPEST_ACTIVITY,
        page: HISTORY_PAGE,
      },
      closed: { rows: closed.slice(0, HISTORY_PAGE), offset, more: closed.length > HISTORY_PAGE, page: HISTORY_PAGE },
      now,
    },
  }
}

/** Names of the markets by condition id, and the events by slug, of which somebody holds shares. */
function heldEvents(positions: readonly Position[], found: ReadonlyMap<string, MarketPictures>) {
  const known = positions.flatMap(({ conditionId, eventSlug }) => {
    const of = found.get(conditionId.toLowerCase())
    return of ? [{ conditionId, eventSlug, of }] : []
  })
  return {
    names: Object.fromEntries(known.map(({ conditionId, of }) => [conditionId, of.name])),
    events: Object.fromEntries(known.map(({ eventSlug, of }) => [eventSlug, { title: of.title, picture: of.event }])),
  }
}
