import type { Row } from '../row.ts'
import { bareRequests, loopNote, medianRate, type Rate, rateOf, WARM_REQUESTS } from '../service/rate.ts'
import { sharedScene } from '../service/shared-scene.ts'
import { bytesOf, type SignedOrder, signOrders } from '../service/signed-orders.ts'

const FLOOR = 0.3

const cancelOf = ({ trader, orderId }: SignedOrder): Buffer => trader.request('DELETE', '/order', { orderId }).bytes

/** A cancel of an order that rests: proven, made durable, applied and answered. */
export const cancels: Row = {
  id: '7',
  work: 'cancel, committed, 64 connections',
  target: '≥ 0.30 × bare, aim 0.45',
  async measure({ rounds, quick }) {
    const { scene, bare } = await sharedScene()
    const market = await scene.market('cancels')
    const count = quick ? 2_000 : 8_000
    const ours: Rate[] = []
    const limit: Rate[] = []
    const warming = Math.ceil(WARM_REQUESTS / count)
    for (let round = -warming; round < (quick ? 3 : rounds); round++) {
      const orders = signOrders(scene.traders, market, count, 'below')
      await rateOf(scene.server, bytesOf(orders))
      const mine = await rateOf(scene.server, orders.map(cancelOf))
      const theirs = await rateOf(bare, bareRequests(count * 3))
      if (round < 0) continue // warms up
      ours.push(mine)
      limit.push(theirs)
    }
    const [mine, theirs] = [medianRate(ours), medianRate(limit)]
    return {
      figures: [
        { name: 'ours', value: mine.perSecond, unit: '/s' },
        { name: 'bare node:http', value: theirs.perSecond, unit: '/s' },
      ],
      met: mine.perSecond / theirs.perSecond >= FLOOR,
      note: `${loopNote(mine, theirs)}; p99 ${mine.p99.toFixed(1)} ms at peak`,
    }
  },
}
