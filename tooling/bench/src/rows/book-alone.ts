import { createRequire } from 'node:module'
import { cpuSeconds } from '../cpu-time.ts'
import { type Contender, interleave } from '../interleave.ts'
import { nativeBooks } from '../references/native-book.ts'
import type { Row } from '../row.ts'
import { bookOf, limitBooks, type Mix, makeTape, mixes, STRIDE, sumOf, type TapeResult } from '../tape.ts'

const { OrderBook, Side } = createRequire(import.meta.url)('nodejs-order-book') as typeof import('nodejs-order-book') // its ESM build names files that Node does not find

/** One run over a tape: how many seconds of processor time it took, and what it came to. */
type Run = TapeResult & { seconds: number }

/** A book that is to be compared, over a tape that is dealt out to one book or more. */
export type BookRun = (tape: Int32Array, books?: number) => Run

/** What is the same for all: who rests and trades. Ids of 32 bytes, accounts, money and events are row 3's. */
const COMPARED = 'processor time; all find orders by a table of integers, nodejs-order-book by its strings'

/** A shorter tape for nodejs-order-book and for ours beside it: it slows down as its book fills, and would need minutes for the long one. */
const SHORT = 60_000
const BESIDE = 'ours, short tape'

/** Times nodejs-order-book on the same tape: the floor. The share of what V8 makes of typed arrays: the aim. */
const FLOOR = 100
const AIM = 0.8

/** A row that compares books, ours first, on the mixed tape also with the peer from npm. Figures are million operations a second. */
function bookRow({ id, mix, target, ours, peer }: { id: string; mix: Mix; target: string; ours: BookRun; peer: boolean }): Row {
  return {
    id,
    work: `book alone, ${mix.name}`,
    target,
    async measure({ rounds, quick }) {
      const { tape, result } = makeTape(mix, quick ? 500_000 : 1_000_000)
      const short = makeTape(mix, SHORT)
      const native = nativeBooks(tape, mix.books)
      try {
        const contenders: Contender[] = [
          speed('ours', tape, result, (all) => ours(all, mix.books)),
          speed('typed arrays', tape, result, (all) => runLimitBooks(all, mix.books)),
          ...(peer
            ? [speed('nodejs-order-book', short.tape, short.result, runNodejsOrderBook), speed(BESIDE, short.tape, short.result, ours)]
            : []),
          ...(native
            ? [speed('C++ std::map', tape, result, () => native.run('map')), speed('C++ arrays', tape, result, () => native.run('array'))]
            : []),
        ]
        const medians = await interleave(contenders, rounds)
        const figures = [...medians].map(([name, value]) => ({ name, value, unit: 'M/s' }))
        // The same tape for both: the short one. How we stand to it on the long one is what the table's own column says.
        const times = peer ? medians.get(BESIDE)! / medians.get('nodejs-order-book')! : null
        const ofLimit = medians.get('ours')! / medians.get('typed arrays')!
        const met = times === null ? null : times >= FLOOR
        const beside = times === null ? '' : `on the same ${SHORT} operations ours is ${times.toFixed(0)} × nodejs-order-book; `
        return { figures, met, aim: ofLimit >= AIM, note: beside + COMPARED + (native ? '' : '; no C++ compiler here') }
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

function runLimitBooks(tape: Int32Array, count: number): Run {
  const books = limitBooks(count, tape.length / STRIDE)
  const begun = cpuSeconds()
  for (let at = 0; at < tape.length; at += STRIDE) {
    const book = books[bookOf(tape[at + 4]!, count)]!
    if (tape[at] === 0) book.add(tape[at + 1]!, tape[at + 2]!, tape[at + 3]!, tape[at + 4]!)
    else book.cancel(tape[at + 4]!)
  }
  return { seconds: cpuSeconds() - begun, ...sumOf(books) }
}

function runNodejsOrderBook(tape: Int32Array): Run {
  const book = new OrderBook()
  const ids = Array.from({ length: tape.length / STRIDE }, (_, n) => String(n))
  let fills = 0
  let volume = 0
  const begun = cpuSeconds()
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
  return { seconds: cpuSeconds() - begun, fills, volume }
}

/** The rows for books alone, given how ours runs a tape. */
export const bookRows = (ours: BookRun): Row[] => [
  bookRow({ id: '1', mix: mixes.mixed, target: `≥ ${FLOOR} × nodejs-order-book, aim ${AIM} × typed arrays`, ours, peer: true }),
  ...[mixes.deep, mixes.multi, mixes.cancel].map((mix) =>
    bookRow({ id: '2', mix, target: `aim ${AIM} × typed arrays`, ours, peer: false }),
  ),
]
