import { median } from '../interleave.ts'
import type { Row } from '../row.ts'
import { frameLoad, openLines } from '../service/frame-load.ts'
import { CONNECTIONS } from '../service/http-load.ts'
import { bareRequests, measuredRate, medianRate, type Rate, rateOf, WARM_REQUESTS } from '../service/rate.ts'
import { sharedScene } from '../service/shared-scene.ts'
import { bytesOf, makeOrders, signOrders } from '../service/signed-orders.ts'

const TIMES_REST = 2
const WAIT_OF_REST = 0.5
/** Market makers, each with one socket on which many orders are under way. */
const SOCKETS = 4
/** Rounds at half of REST's peak. */
const CALM_ROUNDS = 5

/** The same plain orders over `/ws/trade` and over REST, as many under way at once. */
export const socketOrders: Row = {
  id: '31',
  work: 'plain order over /ws/trade, committed, 64 under way on 4 sockets',
  target: '≥ 2 × REST a second; p99 of the answer at half of REST’s peak ≤ 0.5 × REST’s',
  async measure({ rounds, quick }) {
    const { scene, bare } = await sharedScene()
    const market = await scene.market('sockets')
    // Four makers pay for all of it out of what they were given, and half of their orders become shares.
    const count = quick ? 2_000 : 3_000
    const makers = scene.traders.slice(0, SOCKETS)
    const lines = await openLines(scene.server.port, makers)
    const rest = (perSecond?: number) => rateOf(scene.server, bytesOf(signOrders(scene.traders, market, count)), perSecond)
    const socket = (perSecond?: number) => {
      const asked = makeOrders(makers, market, count).map(({ trader, order }) => ({ trader, op: 'place', body: order }))
      return measuredRate(scene.server, asked, () => frameLoad(lines, asked, CONNECTIONS / lines.length, perSecond))
    }
    const before = await scene.seq()
    const peak: Record<'rest' | 'socket' | 'bare', Rate[]> = { rest: [], socket: [], bare: [] }
    const warming = Math.ceil(WARM_REQUESTS / count)
    for (let n = 0; n < warming; n++) for (const each of [rest, socket]) await each()
    await rateOf(bare, bareRequests(WARM_REQUESTS))
    const played = quick ? 3 : rounds
    for (let round = 0; round < played; round++) {
      peak.bare.push(await rateOf(bare, bareRequests(count * 3)))
      peak.rest.push(await rest())
      peak.socket.push(await socket())
    }
    const [slow, fast, limit] = [medianRate(peak.rest), medianRate(peak.socket), medianRate(peak.bare)]
    const half = slow.perSecond / 2
    const calm: Record<'rest' | 'socket', Rate[]> = { rest: [], socket: [] }
    for (let round = 0; round < CALM_ROUNDS; round++) {
      await scene.historyIsWhole()
      calm.rest.push(await rest(half))
      await scene.historyIsWhole()
      calm.socket.push(await socket(half))
    }
    for (const { socket: each } of lines) each.terminate()
    const placed = (await scene.seq()) - before
    const sent = 2 * count * (warming + played + CALM_ROUNDS)
    if (placed < sent) throw new Error(`the log has ${placed} commands of ${sent} orders`)
    await scene.checkLedger()
    const ratio = median(peak.socket.map(({ perSecond }, n) => perSecond / peak.rest[n]!.perSecond))
    const [waitRest, waitSocket] = [medianRate(calm.rest).p99, medianRate(calm.socket).p99]
    return {
      figures: [
        { name: 'ours', value: fast.perSecond, unit: '/s' },
        { name: 'REST', value: slow.perSecond, unit: '/s' },
        { name: 'bare node:http', value: limit.perSecond, unit: '/s' },
        { name: 'ratio', value: ratio, unit: '×' },
      ],
      met: ratio >= TIMES_REST && waitSocket <= WAIT_OF_REST * waitRest,
      aim: fast.perSecond >= limit.perSecond,
      note: `event loop ${fast.loopMicros.toFixed(1)} µs an order, over REST ${slow.loopMicros.toFixed(1)} (${(slow.loopMicros / fast.loopMicros).toFixed(2)} × by processor time); p99 at half of REST’s peak ${waitSocket.toFixed(1)} ms, over REST ${waitRest.toFixed(1)}`,
    }
  },
}
