import type { Row } from '../row.ts'
import { medianRate, type Rate, rateOf, WARM_REQUESTS } from '../service/rate.ts'
import { sharedScene } from '../service/shared-scene.ts'
import { bytesOf, type Naming, signOrders } from '../service/signed-orders.ts'

/** How much of the peak of orders without names is asked for when waits are compared. */
const CALM = 0.25

/** What a client order id costs: no order of long ago may have it (ADR 0022). */
export const namedOrders: Row = {
  id: '6',
  work: 'plain signed order with a client order id, beside one without',
  target: 'what a name adds to 6',
  async measure({ rounds, quick }) {
    const { scene } = await sharedScene()
    const market = await scene.market('named-orders')
    const count = quick ? 1_000 : 4_000
    const send = (naming: Naming, perSecond?: number) =>
      rateOf(scene.server, bytesOf(signOrders(scene.traders, market, count, 'middle', naming)), perSecond)
    const rates = { named: [] as Rate[], nameless: [] as Rate[] }
    const calm = { named: [] as Rate[], nameless: [] as Rate[] }
    for (let round = -Math.ceil(WARM_REQUESTS / count / 2); round < (quick ? 3 : rounds); round++) {
      for (const naming of ['named', 'nameless'] as const) {
        const rate = await send(naming)
        if (round >= 0) rates[naming].push(rate)
      }
    }
    const [named, nameless] = [medianRate(rates.named), medianRate(rates.nameless)]
    for (let round = 0; round < 3; round++)
      for (const naming of ['named', 'nameless'] as const) {
        await scene.historyIsWhole()
        calm[naming].push(await send(naming, nameless.perSecond * CALM))
      }
    const [waits, others] = [medianRate(calm.named).p99, medianRate(calm.nameless).p99]
    await scene.checkLedger()
    return {
      figures: [
        { name: 'with a name', value: named.perSecond, unit: '/s' },
        { name: 'without', value: nameless.perSecond, unit: '/s' },
      ],
      met: null,
      note: `event loop ${named.loopMicros.toFixed(0)} µs a request, without ${nameless.loopMicros.toFixed(0)}; p99 at a quarter of the peak ${waits.toFixed(1)} ms, without ${others.toFixed(1)}`,
    }
  },
}
