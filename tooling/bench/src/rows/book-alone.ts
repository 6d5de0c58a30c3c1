import { createRequire } from 'node:module'
import { type Contender, interleave } from '../interleave.ts'
import { LimitBook } from '../references/limit-book.ts'
import { nativeBooks } from '../references/native-book.ts'
import type { Row } from '../row.ts'
import { type Mix, makeTape, mixes, STRIDE, type TapeResult } from '../tape.ts'

const { OrderBook, Side } = createRequire(import.meta.url)('nodejs-order-book') as typeof import('nodejs-order-book') // its ESM build names files that Node does not find

/** One run over a tape: how long it took, and what it came to. */
type Run = TapeResult & { seconds: number }

/** A book that is to be compared, over the first `operations` of a tape. */
export type BookRun = (tape: Int32Array) => Run

/** nodejs-order-book needs minutes for a long tape: it gets the beginning of it. */
const SHORT = 20_000

/** A row that compares books, ours first. Figures are million operations a second. */
export function bookRow({ id, mix, target, ours }: { id: string; mix: Mix; target: string; ours: BookRun }): Row {
  return {
    id,
    work: `book alone, ${mix.name}`,
    target,
    async measure({ rounds, quick }) {
      const { tape, result } = makeTape(mix, quick ? 200_000 : 1_000_000)
      const short = makeTape(mix, SHORT)
      const native = nativeBooks(tape)
      try {
        const contenders: Contender[] = [
          speed('ours', tape, result, ours),
          speed('typed arrays', tape, result, runLimitBook),
          speed('nodejs-order-book', short.tape, short.result, runNodejsOrderBook),
          ...(native
            ? [speed('C++ std::map', tape, result, () => native.run('map')), speed('C++ arrays', tape, result, () => native.run('array'))]
            : []),
        ]
        const medians = await interleave(contenders, rounds)
        const figure = (name: string) => medians.get(name)!
        const figures = [...medians].map(([name, value]) => ({ name, value, unit: 'M/s' }))
        const met = figure('ours') >= 0.8 * figure('typed arrays') && figure('ours') >= 100 * figure('nodejs-order-book')
        return { figures, met, ...(native ? {} : { note: 'no C++ compiler here' }) }
      } finally {
        native?.remove()
      }
    },
  }
}

function speed(name: string, tape: Int32Array, expected: TapeResult, run: BookRun): Contender {
  return {
    name,
    round() {
      const { seconds, fills, volume } = run(tape)
      if (fills !== expected.fills || volume !== expected.volume) {
        throw new Error(`${name} made ${fills} fills of ${volume}, the others ${expected.fills} of ${expected.volume}`)
      }
      return tape.length / STRIDE / seconds / 1e6
    },
  }
}

function runLimitBook(tape: Int32Array): Run {
  const book = new LimitBook(tape.length / STRIDE)
  const begun = performance.now()
  for (let at = 0; at < tape.length; at += STRIDE) {
    if (tape[at] === 0) book.add(tape[at + 1]!, tape[at + 2]!, tape[at + 3]!, tape[at + 4]!)
    else book.cancel(tape[at + 4]!)
  }
  return { seconds: (performance.now() - begun) / 1000, fills: book.fills, volume: book.volume }
}

function runNodejsOrderBook(tape: Int32Array): Run {
  const book = new OrderBook()
  const ids = Array.from({ length: tape.length / STRIDE }, (_, n) => String(n))
  let fills = 0
  let volume = 0
  const begun = performance.now()
  for (let at = 0; at < tape.length; at += STRIDE) {
    const id = ids[tape[at + 4]!]!
    if (tape[at] === 1) {
      book.cancel(id)
      continue
    }
    const size = tape[at + 3]!
    const { done, partial, partialQuantityProcessed } = book.limit({
      side: tape[at + 1] === 0 ? Side.BUY : Side.SELL,
      id,
      size,
      price: tape[at + 2]!,
    })
    const makers = done.filter((order) => order.id !== id)
    fills += makers.length + (partial !== null && partial.id !== id ? 1 : 0)
    volume += makers.reduce((sum, order) => sum + order.size, 0) + (partial !== null && partial.id !== id ? partialQuantityProcessed : 0)
  }
  return { seconds: (performance.now() - begun) / 1000, fills, volume }
}

/** The rows for books alone, given how ours runs a tape. */
export const bookRows = (ours: BookRun): Row[] => [
  bookRow({ id: '1', mix: mixes.mixed, target: '≥ 100 × nodejs-order-book, ≥ 0.8 × typed arrays', ours }),
  ...[mixes.deep, mixes.cancel].map((mix) => bookRow({ id: '2', mix, target: '≥ 0.8 × typed arrays', ours })),
]
