import type { Row } from '../row.ts'
import { bareRequests, loopNote, medianRate, type Rate, rateOf, WARM_REQUESTS } from '../service/rate.ts'
import { sharedScene } from '../service/shared-scene.ts'
import { bytesOf, signOrders } from '../service/signed-orders.ts'

const FLOOR = 0.3
/** Rounds at half of peak, and how many times the orders of one round each has: some seconds, in which history is written as well. */
const CALM_ROUNDS = 5
const CALM = 2

/** A plain order: read, proven, made durable, applied and answered. */
export const plainOrders: Row = {
  id: '6',
  work: 'plain signed order, committed, 64 connections',
  target: '≥ 0.30 × bare, aim 0.45; p99 < 20 ms at half of peak',
  async measure({ rounds, quick }) {
    const { scene, bare } = await sharedScene()
    const market = await scene.market('orders')
    const count = quick ? 2_000 : 8_000
    const orders = () => bytesOf(signOrders(scene.traders, market, count))
    const memory = await scene.startMemory(market)
    const before = await scene.seq()
    const ours: Rate[] = []
    const limit: Rate[] = []
    const forgetful: Rate[] = []
    const warming = Math.ceil(WARM_REQUESTS / count)
    for (let n = 0; n < warming; n++) {
      const some = orders()
      await rateOf(memory, some)
      await rateOf(scene.server, some)
    }
    await rateOf(bare, bareRequests(WARM_REQUESTS))
    for (let round = 0; round < (quick ? 3 : rounds); round++) {
      limit.push(await rateOf(bare, bareRequests(count * 3)))
      const some = orders()
      forgetful.push(await rateOf(memory, some))
      ours.push(await rateOf(scene.server, some))
    }
    await memory.stop()
    const [mine, theirs, unkept] = [medianRate(ours), medianRate(limit), medianRate(forgetful)]
    const half = mine.perSecond / 2
    const calm: Rate[] = []
    const idle: Rate[] = []
    for (let round = 0; round < CALM_ROUNDS; round++) {
      // Half of peak is what goes on for long: not beside what the peak left to be written to history.
      await scene.historyIsWhole()
      idle.push(await rateOf(bare, bareRequests(count), half))
      calm.push(await rateOf(scene.server, bytesOf(signOrders(scene.traders, market, count * CALM)), half))
    }
    const [wait, least] = [medianRate(calm).p99, medianRate(idle).p99]
    const placed = (await scene.seq()) - before
    const sent = count * (ours.length + warming + CALM * CALM_ROUNDS)
    if (placed < sent) throw new Error(`the log has ${placed} commands of ${sent} orders`)
    await scene.checkLedger()
    return {
      figures: [
        { name: 'ours', value: mine.perSecond, unit: '/s' },
        { name: 'bare node:http', value: theirs.perSecond, unit: '/s' },
        { name: 'our parts without a journal', value: unkept.perSecond, unit: '/s' },
      ],
      met: mine.perSecond / theirs.perSecond >= FLOOR && wait < 20,
      note: `${loopNote(mine, theirs)}, without a journal ${unkept.loopMicros.toFixed(0)}; p99 ${mine.p99.toFixed(1)} ms at peak, ${wait.toFixed(1)} ms at half, where bare has ${least.toFixed(1)}`,
    }
  },
}
