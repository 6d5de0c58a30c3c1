import type { Viewer } from '@augury/platform/identity/viewer'
import { listPositions } from '@augury/platform/portfolio/funds'
import type { Site } from '@augury/platform/site'
import { listEventOpenOrders } from '@augury/platform/trading/open-orders'
import type { Position } from '@augury/wire/data'
import type { OpenOrder } from '@augury/wire/platform/trading'
import { ServiceError } from '@augury/wire/service-error'
import type { EventView } from '#lib/event/event-view.ts'
import { readOfMarkets, worth } from '#lib/event/own-markets.ts'
import { inTime } from './exchange.ts'

const POSITIONS = 500

/** The viewer's open orders and positions in an event; null for a visitor, and while the exchange does not answer. */
export async function readOwn(
  site: Site,
  viewer: Viewer,
  { slug, markets }: EventView,
): Promise<{ orders: OpenOrder[]; positions: Position[] } | null> {
  if (viewer.kind !== 'member') return null
  const here = markets.map(({ conditionId }) => conditionId)
  try {
    const [orders, positions] = await inTime(
      Promise.all([
        listEventOpenOrders(site, viewer, { params: { slug }, query: {} }),
        readOfMarkets(here, worth, (market) => listPositions(site, viewer, { query: { market, limit: POSITIONS, offset: 0 } })),
      ]),
    )
    return { orders: orders.data, positions }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return null
  }
}
