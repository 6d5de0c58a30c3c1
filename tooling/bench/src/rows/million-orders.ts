import { setTimeout } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Exchange } from '@augury/engine/exchange'
import { copySnapshot, restoreSnapshot } from '@augury/engine/snapshot'
import { prng } from '@augury/testing/prng'
import { cpuSeconds } from '../cpu-time.ts'
import { engineRows, marketsRow, openExchange } from '../engine-tape.ts'
import { interleave, median } from '../interleave.ts'
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

/** Going on after a stop, and the copy that makes it quick: as the follower's thread takes it, in pieces. */
export const recovery: Row = {
  id: '5',
  work: 'replay of the mixed tape; snapshot and restore of a million orders',
  target: '≥ 0.5 M commands/s · < 2 s, longest pause ≤ 10 ms · < 2 s',
  async measure({ rounds }) {
    const { tape } = makeTape(mixes.mixed, 200_000)
    const rows = engineRows(tape)
    const over = (apply: (exchange: Exchange, row: (typeof rows)[number]) => void) => () => {
      const exchange = openExchange()
      const seconds = timed(1, () => () => {
        for (const row of rows) apply(exchange, row)
      })
      return tape.length / STRIDE / seconds / 1e6
    }
    const replays = await interleave(
      [
        { name: 'replay', round: over((exchange, row) => exchange.replay(row)) },
        { name: 'replay, events as objects', round: over((exchange, row) => exchange.applyRow(row)) },
      ],
      rounds,
    )
    const exchange = openExchange()
    placeMillion(exchange)
    const fresh = Array.from({ length: 3 }, () => copied(exchange))
    const { bytes } = fresh[0]!
    const memory = new Uint8Array(bytes.buffer)
    const copies = Array.from({ length: rounds }, () => copied(exchange, memory))
    const copy = median(copies.map(({ seconds }) => seconds))
    const pause = longestPause(copies)
    const restore = timed(3, () => () => restoreSnapshot(bytes))
    if (restoreSnapshot(bytes).digest() !== exchange.digest()) throw new Error('a restored exchange is another one')
    const plain = timed(rounds, () => () => memory.copyWithin(0, bytes.length / 2))
    const figures = [
      ...[...replays].map(([name, value]) => ({ name, value, unit: 'M/s' })),
      { name: 'snapshot', value: copy * 1000, unit: 'ms' },
      { name: 'longest pause', value: pause, unit: 'ms' },
      { name: 'longest pause, into new memory', value: longestPause(fresh), unit: 'ms' },
      { name: 'moving as many bytes', value: plain * 2000, unit: 'ms' },
      { name: 'restore', value: restore, unit: 's' },
    ]
    const size = `${(bytes.length / 1e6).toFixed(0)} MB`
    const note = `recovery makes no events; ${size}; copied in pieces of 2 MB by the follower's thread, whose pause this is; the thread that serves has none; processor time but for the pauses`
    const met = replays.get('replay')! >= 0.5 && copy < 2 && pause <= 10 && restore < 2
    return { figures, met, note }
  },
}

/** A snapshot, the processor seconds it took, and the milliseconds of each of its pieces. */
function copied(exchange: Exchange, memory?: Uint8Array): { bytes: Uint8Array; seconds: number; pieces: number[] } {
  const copying = copySnapshot(exchange, memory)
  const pieces: number[] = []
  const begun = cpuSeconds()
  for (;;) {
    const before = performance.now()
    const step = copying.next()
    pieces.push(performance.now() - before)
    if (step.done) return { bytes: step.value, seconds: cpuSeconds() - begun, pieces }
  }
}

/** Milliseconds of the longest piece, each at its quickest: a piece is shorter than the time for which another program takes the processor. */
const longestPause = (copies: { pieces: number[] }[]): number =>
  Math.max(...copies[0]!.pieces.map((_, n) => Math.min(...copies.map(({ pieces }) => pieces[n]!))))

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
