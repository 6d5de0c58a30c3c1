import { median } from '../interleave.ts'
import type { Row } from '../row.ts'
import { load } from '../service/http-load.ts'
import { processorTime } from '../service/processor.ts'
import { sharedScene } from '../service/shared-scene.ts'
import { bytesOf, signOrders } from '../service/signed-orders.ts'
import { type Listeners, listen } from '../service/sockets.ts'
import type { Program } from '../service/venue-scene.ts'

/** Processor time of a program's event loop for the messages that all sockets hear of some work: microseconds a message. */
async function microsPerMessage(program: Program, sockets: Listeners, work: () => Promise<unknown>): Promise<number> {
  const before = { heard: sockets.heard(), loop: processorTime(program.pid).loop }
  await work()
  await sockets.quiet()
  return ((processorTime(program.pid).loop - before.loop) * 1e6) / (sockets.heard() - before.heard)
}

/** What orders change goes to everybody who follows the market: 1 000 sockets, or as many as `--sockets=5000` says. Orders included on our side; beside it the same messages by `ws.send`. */
export const fanOut: Row = {
  id: '13',
  work: 'stream fan-out, messages a second of the event loop',
  target: '≥ 1.5 × ws.send of the same messages',
  async measure({ rounds, quick, sockets }) {
    const { scene } = await sharedScene()
    const count = sockets ?? (quick ? 200 : 1_000)
    const orders = quick ? 500 : 1_000
    const market = await scene.market('fan-out')
    const peer = await scene.startWs()
    const hello = JSON.stringify({ type: 'market', markets: [market.condition], initial_dump: false })
    const ours = await listen(`ws://127.0.0.1:${scene.server.port}/ws/market`, count, hello)
    const theirs = await listen(`ws://127.0.0.1:${peer.port}/`, count, null)
    try {
      await ours.quiet()
      const figures: Record<'ours' | 'orders' | 'theirs', number[]> = { ours: [], orders: [], theirs: [] }
      const alone = await scene.market('fan-out-unheard')
      for (let round = 0; round <= (quick ? 3 : rounds); round++) {
        ours.taken()
        const heard = ours.heard()
        const mine = await microsPerMessage(scene.server, ours, () =>
          load(scene.server.port, bytesOf(signOrders(scene.traders, market, orders))),
        )
        const messages = ours.taken()
        if (messages.length * count !== ours.heard() - heard) throw new Error('the sockets did not hear the same number of messages')
        if (messages.length === 0) throw new Error('no socket received a message')
        // The same orders without subscribers: what is not fan-out.
        const before = processorTime(scene.server.pid).loop
        await load(scene.server.port, bytesOf(signOrders(scene.traders, alone, orders)))
        const unheard = ((processorTime(scene.server.pid).loop - before) * 1e6) / (messages.length * count)
        const send = () => fetch(`http://127.0.0.1:${peer.port}`, { method: 'POST', body: JSON.stringify(messages) })
        const sent = await microsPerMessage(peer, theirs, send)
        if (round === 0) continue // warms up
        figures.ours.push(mine - unheard)
        figures.orders.push(mine)
        figures.theirs.push(sent)
      }
      const perSecond = (micros: readonly number[]) => 1000 / median(micros)
      return {
        figures: [
          { name: 'ours', value: perSecond(figures.ours), unit: 'k/s' },
          { name: 'ws.send', value: perSecond(figures.theirs), unit: 'k/s' },
        ],
        met: perSecond(figures.ours) >= 1.5 * perSecond(figures.theirs),
        note: `${count} sockets; a second of processor time of the event loop, less what the orders cost; with the orders ${perSecond(figures.orders).toFixed(0)} k/s`,
      }
    } finally {
      ours.close()
      theirs.close()
      await peer.stop()
    }
  },
}
