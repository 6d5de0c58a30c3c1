import { expect, test } from 'vitest'
import { runEngineBook } from '../src/engine-book.ts'
import { engineRows, openExchange } from '../src/engine-tape.ts'
import { interleave, median } from '../src/interleave.ts'
import { LimitBook } from '../src/references/limit-book.ts'
import { nativeBooks } from '../src/references/native-book.ts'
import { renderTable } from '../src/table.ts'
import { makeTape, mixes, STRIDE } from '../src/tape.ts'

/** The slow book that is the specification: a list, sorted by price and age. */
function naive(tape: Int32Array, books: number): { fills: number; volume: number } {
  let resting: { side: number; price: number; size: number; order: number }[] = []
  let [fills, volume] = [0, 0]
  for (let at = 0; at < tape.length; at += STRIDE) {
    const [kind, side, price, size, order] = tape.subarray(at, at + STRIDE) as unknown as [number, number, number, number, number]
    resting = resting.filter((maker) => kind === 0 || maker.order !== order)
    if (kind === 1) continue
    const taker = { side, price, size, order }
    const makers = resting
      .filter(
        (maker) =>
          maker.order % books === order % books && maker.side !== side && (side === 0 ? maker.price <= price : maker.price >= price),
      )
      .sort((a, b) => (side === 0 ? a.price - b.price : b.price - a.price) || a.order - b.order)
    for (const maker of makers) {
      const lots = Math.min(maker.size, taker.size)
      if (lots === 0) break
      fills++
      volume += lots
      maker.size -= lots
      taker.size -= lots
    }
    resting = [...resting, taker].filter((maker) => maker.size > 0)
  }
  return { fills, volume }
}

test.each(Object.values(mixes).map((mix) => ({ ...mix, resting: Math.min(mix.resting, 200) })))(
  'the reference books agree with the naive one on $name',
  (mix) => {
    const { tape, result } = makeTape(mix, 3_000, 7)
    expect(result.fills).toBeGreaterThan(0)
    expect(result).toEqual(naive(tape, mix.books))
    const native = nativeBooks(tape, mix.books)
    for (const kind of native ? (['map', 'array'] as const) : []) expect(native?.run(kind)).toMatchObject(result)
    native?.remove()
  },
)

test('a tape repeats from its seed', () => {
  expect(makeTape(mixes.mixed, 2_000, 3).tape).toEqual(makeTape(mixes.mixed, 2_000, 3).tape)
  expect(makeTape(mixes.mixed, 2_000, 3).tape).not.toEqual(makeTape(mixes.mixed, 2_000, 4).tape)
})

test('cancelling twice, or what never rested, changes nothing', () => {
  const book = new LimitBook(3)
  book.add(0, 500, 5, 0)
  book.add(1, 500, 5, 1)
  for (const order of [0, 1, 2, 2]) book.cancel(order)
  book.add(1, 499, 4, 2)
  expect({ fills: book.fills, volume: book.volume }).toEqual({ fills: 1, volume: 5 })
})

test('contenders take turns, each round begun by another, and the medians are reported', async () => {
  const order: string[] = []
  const contender = (name: string, figures: number[]) => ({
    name,
    round: () => figures[order.push(name) && order.filter((each) => each === name).length - 1]!,
  })
  const medians = await interleave([contender('a', [1, 9, 2]), contender('b', [30, 10, 20])], 3)
  expect(order.join('')).toBe('abbaab')
  expect([...medians]).toEqual([
    ['a', 2],
    ['b', 20],
  ])
  expect(median([1, 4, 2, 3])).toBe(2.5)
})

test('the table shows ours, how it stands to the others, and what could not be measured', () => {
  const row = { id: '1', work: 'book alone', target: '≥ 100 ×' }
  const figures = [
    { name: 'ours', value: 12.34, unit: 'M/s' },
    { name: 'peer', value: 0.1, unit: 'M/s' },
  ]
  expect(
    renderTable([
      { row, result: { figures, met: true } },
      { row, result: { why: 'no engine' } },
    ])
      .split('\n')
      .slice(2),
  ).toEqual(['| 1 | book alone | 12.3 M/s | peer 0.10 M/s (123 ×) | ≥ 100 × | yes |', '| 1 | book alone | – | no engine | ≥ 100 × | – |'])
})

test.each(['mixed', 'deep', 'multi', 'cancel', 'thin'] as const)("the engine's own book agrees on %s", (name) => {
  const { tape, result } = makeTape(mixes[name], 20_000, 5)
  expect(runEngineBook(tape, mixes[name].books)).toMatchObject(result)
})

test.each(['mixed', 'multi'] as const)('the whole exchange makes the same fills on %s, and refuses nothing', (name) => {
  const { books } = mixes[name]
  const { tape, result } = makeTape({ ...mixes[name], resting: 500 }, 5_000, 9)
  const exchange = openExchange({ books })
  const events = engineRows(tape, undefined, { books }).flatMap((row) => exchange.applyRow(row).flatMap((applied) => applied.events))
  const fills = events.filter((event) => event.type === 'fill')
  expect(events.filter((event) => event.type === 'refused')).toEqual([])
  expect({ fills: fills.length, volume: fills.reduce((sum, { lots }) => sum + lots, 0) }).toEqual(result)
})
