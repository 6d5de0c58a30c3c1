import { median } from '../interleave.ts'
import type { Row } from '../row.ts'
import { load, p99 } from '../service/http-load.ts'
import { rateOf } from '../service/rate.ts'
import { sharedScene } from '../service/shared-scene.ts'
import { bytesOf, signOrders } from '../service/signed-orders.ts'
import { listen } from '../service/sockets.ts'

/** From sending an order to hearing of it on the market's stream, one at a time, while other orders come at half of the peak. */
export const orderToStream: Row = {
  id: '14',
  work: 'order → stream message, at half of peak',
  target: 'p99 < 20 ms',
  async measure({ quick }) {
    const { scene } = await sharedScene()
    const [watched, busy] = [await scene.market('watched'), await scene.market('busy')]
    const count = quick ? 1_000 : 4_000
    const peak = (await rateOf(scene.server, bytesOf(signOrders(scene.traders, busy, count)))).perSecond
    const hello = JSON.stringify({ type: 'market', markets: [watched.condition], initial_dump: false })
    const socket = await listen(`ws://127.0.0.1:${scene.server.port}/ws/market`, 1, hello)
    try {
      await socket.quiet()
      const others = load(scene.server.port, bytesOf(signOrders(scene.traders, busy, count)), peak / 2)
      const times: number[] = []
      let over = false
      const finished = others.then(() => {
        over = true
      })
      while (!over) {
        const [order] = signOrders(scene.traders, watched, 1, 'below')
        socket.taken()
        const begun = performance.now()
        const answered = load(scene.server.port, [order!.bytes])
        times.push((await socket.next('price_change')) - begun)
        const { refused } = await answered
        if (refused.length > 0) throw new Error(refused[0])
      }
      await finished
      const { refused } = await others
      if (refused.length > 0) throw new Error(refused[0])
      const worst = p99(Float64Array.from(times))
      return {
        figures: [
          { name: 'p99', value: worst, unit: 'ms' },
          { name: 'p50', value: median(times), unit: 'ms' },
        ],
        met: worst < 20,
        note: `${times.length} orders beside ${(peak / 2).toFixed(0)} a second; a connection is opened for each`,
      }
    } finally {
      socket.close()
    }
  },
}
