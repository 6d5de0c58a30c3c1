import { setTimeout } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Exchange } from '@augury/engine/exchange'
import { restoreSnapshot, takeSnapshot } from '@augury/engine/snapshot'
import { prng } from '@augury/testing/prng'
import { cpuSeconds } from '../cpu-time.ts'
import { engineRows, marketsRow, openExchange } from '../engine-tape.ts'
import { median } from '../interleave.ts'
import type { Row } from '../row.ts'
import { makeTape, mixes, STRIDE } from '../tape.ts'

const ORDERS = 1_000_000
const PER_ROW = 1_000
const MARKETS = 10_000

/** What a resting order and a market without orders take, of buffers and heap together. */
export const memory: Row = {
  id: '4',
  work: 'memory per resting order at a million, per idle market',
  target: '≤ 120 bytes · ≤ 4 KB',
  async measure() {
    const exchange = openExchange()
    const empty = await bytesInUse()
    placeMillion(exchange)
    const order = ((await bytesInUse()) - empty) / ORDERS
    const quiet = openExchange()
    const before = await bytesInUse()
    quiet.applyRow(marketsRow(MARKETS))
    const market = ((await bytesInUse()) - before) / MARKETS
    if (restingOrders(exchange) !== ORDERS) throw new Error(`only ${restingOrders(exchange)} orders rest`)
    const figures = [
      { name: 'order', value: order, unit: 'bytes' },
      { name: 'market', value: market, unit: 'bytes' },
    ]
    return { figures, met: order <= 120 && market <= 4096, note: 'a market that had an order keeps its levels until it closes' }
  },
}

/** Going on after a stop, and the copy that makes it quick. */
export const recovery: Row = {
  id: '5',
  work: 'replay of the mixed tape; snapshot and restore of a million orders',
  target: '≥ 0.5 M commands/s · < 2 s · < 2 s',
  async measure({ rounds }) {
    const { tape } = makeTape(mixes.mixed, 200_000)
    const rows = engineRows(tape)
    const replay = timed(rounds, () => {
      const exchange = openExchange()
      return () => rows.map((row) => exchange.applyRow(row).length)
    })
    const exchange = openExchange()
    placeMillion(exchange)
    const first = takeSnapshot(exchange)
    const memory = new Uint8Array(first.buffer)
    const copy = timed(rounds, () => () => takeSnapshot(exchange, memory))
    const restore = timed(3, () => () => restoreSnapshot(first))
    if (restoreSnapshot(first).digest() !== exchange.digest()) throw new Error('a restored exchange is another one')
    const plain = timed(rounds, () => () => memory.copyWithin(0, first.length / 2))
    const speed = tape.length / STRIDE / replay / 1e6
    const figures = [
      { name: 'replay', value: speed, unit: 'M/s' },
      { name: 'snapshot', value: copy * 1000, unit: 'ms' },
      { name: 'moving as many bytes', value: plain * 2000, unit: 'ms' },
      { name: 'restore', value: restore, unit: 's' },
    ]
    const note = `${(first.length / 1e6).toFixed(0)} MB; the follower's thread copies, so the serving loop has no pause; processor time`
    return { figures, met: speed >= 0.5 && copy < 2 && restore < 2, note }
  },
}

/** Median seconds of processor time of what `prepare` returns. */
function timed(rounds: number, prepare: () => () => unknown): number {
  const seconds = Array.from({ length: rounds }, () => {
    const work = prepare()
    const begun = cpuSeconds()
    work()
    return cpuSeconds() - begun
  })
  return median(seconds)
}

/** Bids that never meet, a thousand in a row of the journal, under ids that look like hashes. */
function placeMillion(exchange: Exchange): void {
  const bids = Int32Array.from(
    { length: PER_ROW * STRIDE },
    (_, at) => [0, 0, 1 + (Math.floor(at / STRIDE) % 900), 100, Math.floor(at / STRIDE)][at % STRIDE]!,
  )
  const { commands } = engineRows(bids, PER_ROW)[0]!
  const words = new Uint32Array(commands.buffer.slice(commands.byteOffset, commands.byteOffset + commands.length))
  const random = prng(1)
  for (let n = 0; n < ORDERS; n += PER_ROW) {
    for (let at = 0; at < words.length; at += words[at]! >>> 16)
      for (let word = 1; word <= 8; word++) words[at + word] = random.integer(0, 0xffff_ffff)
    exchange.applyRow({ at: 2 + n, commands: new Uint8Array(words.buffer) })
  }
}

const restingOrders = ({ state }: Exchange): number => state.conditions.ladders.reduce((sum, ladder) => sum + (ladder?.orders ?? 0), 0)

/** Bytes of heap and buffers after a full collection. */
async function bytesInUse(): Promise<number> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  for (let n = 0; n < 3; n++) {
    collect()
    await setTimeout(50) // freed buffers are counted off in the background
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}
