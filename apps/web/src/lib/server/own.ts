import type { Viewer } from '@augury/platform/authorization/viewer'
import { listOwnActivity, listPositions } from '@augury/platform/portfolio/funds'
import type { Site } from '@augury/platform/site/site'
import { listEventOpenOrders } from '@augury/platform/trading/open-orders'
import type { Position } from '@augury/wire/data'
import type { OpenOrder } from '@augury/wire/platform/trading'
import { ServiceError } from '@augury/wire/service-error'
import type { EventView } from '#lib/event/event-view.ts'
import { readOfMarkets, time, worth } from '#lib/event/own-markets.ts'
import { type OwnResult, ownResult } from '#lib/event/own-result.ts'
import { inTime } from './exchange.ts'

const POSITIONS = 500

/** The viewer's open orders and positions in an event, and what they won where it is decided; null for a visitor, and while the exchange does not answer. */
export async function readOwn(
  site: Site,
  viewer: Viewer,
  { slug, markets }: EventView,
): Promise<{ orders: OpenOrder[]; positions: Position[]; result: OwnResult | null } | null> {
  if (viewer.kind !== 'member') return null
  const here = markets.map(({ conditionId }) => conditionId)
  const decided = markets.filter(({ result }) => result !== null).map(({ conditionId }) => conditionId)
  try {
    const [orders, positions, payouts] = await inTime(
      Promise.all([
        listEventOpenOrders(site, viewer, { params: { slug }, query: {} }),
        readOfMarkets(here, worth, (market) => listPositions(site, viewer, { query: { market, limit: POSITIONS, offset: 0 } })),
        readOfMarkets(decided, time, (market) =>
          listOwnActivity(site, viewer, { query: { market, type: ['REDEEM'], limit: POSITIONS, offset: 0 } }),
        ),
      ]),
    )
    return { orders: orders.data, positions, result: ownResult(markets, positions, payouts) }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return null
  }
}
