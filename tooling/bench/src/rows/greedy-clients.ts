import { randomBytes } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { Row } from '../row.ts'
import type { GreedyData } from '../service/greedy.ts'
import { load, p99, rawRequest } from '../service/http-load.ts'
import { sharedScene } from '../service/shared-scene.ts'
import { bytesOf, signOrders } from '../service/signed-orders.ts'
import type { Trader } from '../service/trader.ts'
import type { Market } from '../service/venue-scene.ts'

/** Orders a second of those who ask for little, and milliseconds that the greedy client has to begin. */
const PACE = 300
const BEGIN_MS = 1000
/** Requests that a greedy client sends in turns, items of a batch of reads, and orders of one of orders. */
const REQUESTS = 256
const ITEMS = 500
const LEGS = 15

const unknown = () => `0x${randomBytes(32).toString('hex')}`

/** What a client may ask for that costs much. */
const KINDS: Record<string, (greedy: Trader, market: Market) => Buffer> = {
  'pages of trades': () => rawRequest('GET', '/trades?limit=500', {}),
  'batches of prices': (_, { yes }) => {
    const asked = Array.from({ length: ITEMS }, (_, n) => ({ token_id: yes, side: n % 2 ? 'BUY' : 'SELL' }))
    return rawRequest('POST', '/prices', {}, JSON.stringify(asked))
  },
  'look-ups of orders': (greedy) => greedy.request('POST', '/data/orders', Array.from({ length: ITEMS }, unknown)).bytes,
  'cancels of unknown orders': (greedy) => greedy.request('DELETE', '/orders', Array.from({ length: ITEMS }, unknown)).bytes,
  'own open orders': (greedy) => greedy.request('GET', '/data/orders').bytes,
  'batches of orders': (greedy, { yes }) => {
    const order = { tokenId: yes, side: 'BUY', orderType: 'GTC', price: '0.010', size: '5' }
    return greedy.request('POST', '/orders', Array(LEGS).fill(order)).bytes
  },
}

/** What the orders of some clients wait, and how many are turned away, beside one client that asks for as much as it can. */
export const greedyClients: Row = {
  id: '6',
  work: `orders, ${PACE} a second, beside one client that asks for all it can over 64 connections`,
  target: 'heavy reads of one client do not slow the orders of others (ADR 0021)',
  async measure({ quick }) {
    const { scene } = await sharedScene()
    const { port } = scene.server
    const market = await scene.market('greedy-clients')
    const greedy = await scene.stranger()
    const others = () => load(port, bytesOf(signOrders(scene.traders, market, quick ? 100 : 5 * PACE, 'middle', 'named')), PACE)
    await others()
    await scene.historyIsWhole()
    const alone = await others()
    const figures = [{ name: 'p99 alone', value: p99(alone.latencies), unit: 'ms' }]
    const refused: string[] = []
    for (const [kind, make] of Object.entries(KINDS)) {
      const workerData: GreedyData = { port, requests: Array.from({ length: REQUESTS }, () => make(greedy, market)) }
      const worker = new Worker(new URL('../service/greedy.ts', import.meta.url), { workerData })
      const ended = new Promise<number>((resolve, reject) => worker.once('message', resolve).once('error', reject))
      await setTimeout(BEGIN_MS)
      const beside = await others()
      worker.postMessage('enough')
      refused.push(`${beside.refused.length} beside ${kind} (${(await ended).toFixed(0)}/s)`)
      figures.push({ name: `beside ${kind}`, value: p99(beside.latencies), unit: 'ms' })
      await scene.historyIsWhole()
    }
    return { figures, met: null, note: `of ${alone.latencies.length} orders turned away: ${refused.join(', ')}` }
  },
}
