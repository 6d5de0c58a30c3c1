import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import type { Fault } from './faults.ts'
import type { Scene } from './scene.ts'
import type { Trader } from './trader.ts'

const LANES = 16
const SAMPLE_MS = 30_000
/** Share by which the last third of the figures may lie above the one before: the engine remembers ended orders for ten minutes. */
const GROWTH = 0.1
const PAGE_BYTES = 4096

/** Runs at half of the load that the exchange bears, and watches its memory. `say` hears of every look. */
export const soak = (minutes: number, say: (line: string) => void): Fault => ({
  name: `half load for ${minutes} minutes`,
  must: 'memory and open files of the exchange do not grow',
  async run(scene) {
    const pairs = await Promise.all(Array.from({ length: LANES }, () => scene.newcomer(100_000)))
    const peak = await rate(scene, pairs, null, 10_000)
    const half = peak / 2
    const samples: { rss: number; files: number }[] = []
    const end = performance.now() + minutes * 60_000
    let orders = 0
    while (performance.now() < end) {
      const ms = Math.min(SAMPLE_MS, end - performance.now())
      orders += ((await rate(scene, pairs, half, ms)) * ms) / 1000
      const sample = look(scene.writer.pid)
      samples.push(sample)
      say(`  ${Math.round((minutes * 60_000 - (end - performance.now())) / 1000)} s: ${mebibytes(sample.rss)} MiB, ${sample.files} files`)
    }
    const third = Math.max(1, Math.floor(samples.length / 3))
    const mean = (from: number, to?: number) => {
      const part = samples.slice(from, to).map(({ rss }) => rss)
      return part.reduce((sum, rss) => sum + rss, 0) / part.length
    }
    const [middle, last] = [mean(-2 * third, -third), mean(-third)]
    const wrong = last > middle * (1 + GROWTH) ? [`it grew from ${mebibytes(middle)} to ${mebibytes(last)} MiB in the last third`] : []
    const facts = `${Math.round(half)} orders and cancels a second (half of ${Math.round(peak)}), ${Math.round(orders)} in all; middle third ${mebibytes(middle)} MiB, last third ${mebibytes(last)} MiB`
    return { facts, wrong }
  },
})

const mebibytes = (bytes: number): number => Math.round(bytes / 1024 / 1024)

/** Resident bytes and open files of a process. */
const look = (pid: number) => ({
  rss: Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * PAGE_BYTES,
  files: readdirSync(`/proc/${pid}/fd`).length,
})

/** Orders and cancels a second that were answered: as many as there is room for, or at most `limit`. */
async function rate(scene: Scene, traders: readonly Trader[], limit: number | null, ms: number): Promise<number> {
  const { url } = scene.writer
  const end = performance.now() + ms
  const pause = limit === null ? 0 : (2 * 1000 * traders.length) / limit
  let answered = 0
  let unanswered = 0
  await Promise.all(
    traders.map(async (trader, lane) => {
      const tokenId = lane % 2 ? scene.market.yes : scene.market.no
      for (let n = 0; performance.now() < end; n++) {
        const began = performance.now()
        const order = { tokenId, side: 'BUY', orderType: 'GTC', price: `0.${45 + (n % 10)}`, size: '5', clientOrderId: crypto.randomUUID() }
        try {
          const { body } = await trader.call(url, 'POST', '/order', order)
          if (body.orderId) await trader.call(url, 'DELETE', '/order', { orderId: body.orderId })
          answered += 2
        } catch {
          unanswered++ // who hears nothing for too long goes on
        }
        const left = pause - (performance.now() - began)
        if (left > 0) await wait(left)
      }
    }),
  )
  if (unanswered > answered / 100) throw new Error(`${unanswered} were not answered, ${answered} were`)
  return answered / (ms / 1000)
}
