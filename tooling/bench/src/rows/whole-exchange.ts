import type { Listener } from '@augury/engine/listener'
import { cpuSeconds } from '../cpu-time.ts'
import { engineRows, openExchange } from '../engine-tape.ts'
import { interleave, median } from '../interleave.ts'
import { LimitBook } from '../references/limit-book.ts'
import type { Row } from '../row.ts'
import { makeTape, mixes, STRIDE } from '../tape.ts'

/** Commands whose time is taken one by one, after as many that warm up. */
const TIMED = 50_000

/** The engine as the service uses it: committed rows in, events out, with accounts, holds, fees and a digest. */
export const wholeExchange: Row = {
  id: '3',
  work: 'whole exchange, mixed, 1 000 accounts',
  target: '≥ 1 M commands/s, aim 4 M; p99 < 20 µs',
  async measure({ rounds, quick }) {
    const operations = quick ? 100_000 : 300_000
    const { tape, result } = makeTape(mixes.mixed, operations)
    const rows = engineRows(tape)
    const ours = () => {
      const exchange = openExchange()
      const tally = new Tally()
      const begun = cpuSeconds()
      for (const row of rows) exchange.run(row, tally)
      const seconds = cpuSeconds() - begun
      if (tally.fills !== result.fills || tally.volume !== result.volume)
        throw new Error(`the engine made ${tally.fills} fills, not ${result.fills}`)
      return operations / seconds / 1e6
    }
    const withObjects = () => {
      const exchange = openExchange()
      const begun = cpuSeconds()
      for (const row of rows) exchange.applyRow(row)
      return operations / (cpuSeconds() - begun) / 1e6
    }
    const limit = () => {
      const book = new LimitBook(operations)
      const begun = cpuSeconds()
      for (let at = 0; at < tape.length; at += STRIDE) {
        if (tape[at] === 0) book.add(tape[at + 1]!, tape[at + 2]!, tape[at + 3]!, tape[at + 4]!)
        else book.cancel(tape[at + 4]!)
      }
      return operations / (cpuSeconds() - begun) / 1e6
    }
    const medians = await interleave(
      [
        { name: 'ours', round: ours },
        { name: 'ours, events as objects', round: withObjects },
        { name: 'typed arrays, book alone', round: limit },
      ],
      rounds,
    )
    const [p50, p99] = latencies(tape)
    const figures = [...medians].map(([name, value]) => ({ name, value, unit: 'M/s' }))
    return {
      figures,
      met: medians.get('ours')! >= 1 && p99! < 20,
      aim: medians.get('ours')! >= 4,
      note: `p50 ${p50!.toFixed(1)} µs, p99 ${p99!.toFixed(1)} µs, one command a row, collections of garbage included; processor time`,
    }
  },
}

/** Hears all that the engine tells, and counts what must agree with the tape. */
class Tally implements Listener {
  fills = 0
  volume = 0

  refused(code: string): void {
    throw new Error(`the engine refused a command of the tape: ${code}`)
  }
  fill(_n: number, _taker: number, _maker: number, lots: number): void {
    this.fills++
    this.volume += lots
  }
  placed(): void {}
  reduced(): void {}
  ended(): void {}
  entry(): void {}
  level(): void {}
  condition(): void {}
  account(): void {}
  mode(): void {}
  done(): void {}
}

/** Microseconds of one command in a row of its own: the median, and what one in a hundred exceeds. */
function latencies(tape: Int32Array): [p50: number, p99: number] {
  const exchange = openExchange()
  const times = engineRows(tape.subarray(0, 2 * TIMED * STRIDE), 1).map((row) => {
    const begun = performance.now()
    exchange.applyRow(row)
    return (performance.now() - begun) * 1000
  })
  const timed = times.slice(TIMED).sort((a, b) => a - b)
  return [median(timed), timed[Math.floor(timed.length * 0.99)]!]
}
