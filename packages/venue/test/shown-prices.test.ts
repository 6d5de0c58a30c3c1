import { query } from '@augury/testing/connection'
import { prng } from '@augury/testing/prng'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { onGrid, readShownPrices, type ShownPrice, ShownPrices, writeShownPrices } from '../src/record/history/shown-prices.ts'
import { Replica } from '../src/record/log/replica.ts'
import { address, deposit, id, place, register } from './commands.ts'
import { clobDatabase } from './fixture.ts'
import { rowOf } from './story.ts'

const MINUTE = 60_000
const DAY = 1440
/** Midnight. */
const START = 1_800_057_600_000
const condition = id('rain')

let url: string
let pool: pg.Pool
beforeAll(async () => {
  url = await clobDatabase()
  pool = new pg.Pool({
    connectionString: url,
    types: { getTypeParser: (oid) => (oid === 20 ? Number : (pg.types.getTypeParser(oid) as never)) },
  })
})
afterAll(() => pool.end())

async function write(stream: string, prices: readonly [minute: number, halfSteps: number][]) {
  const client = await pool.connect()
  const shown: ShownPrice[] = prices.map(([minute, halfSteps]) => ({ condition, minute: START + minute * MINUTE, halfSteps }))
  await writeShownPrices(client, stream, shown).finally(() => client.release())
}

const read = (stream: string, from: number, to: number, minutes: number) =>
  readShownPrices({ pool, stream }, condition, 0, { from: START + from * MINUTE, to: START + to * MINUTE, minutes }).then(
    ({ before, points }) => ({
      before,
      points: points.map(({ until, price }) => [(until - START) / MINUTE, price]),
    }),
  )

/** The same from the changes themselves: in each step the last one that was over by the end of the range. */
function naive(changes: readonly [number, number][], from: number, to: number, minutes: number) {
  const steps = new Map<number, number>()
  const alignDown = (minute: number) => Math.floor((minute + START / MINUTE) / minutes) * minutes - START / MINUTE
  for (const [minute, halfSteps] of changes) {
    const step = alignDown(minute)
    if (step >= alignDown(from) && minute + 1 <= to) steps.set(Math.min(step + minutes, to), halfSteps / 20_000)
  }
  const before = changes.findLast(([minute]) => minute + 1 <= from)
  return { before: before ? before[1] / 20_000 : null, points: [...steps].filter(([until]) => until > from) }
}

test('any range in steps of any length has what the changes say, and nothing from after its end', async () => {
  const { integer } = prng(17)
  const upTo = (most: number) => integer(0, most - 1)
  const changes: [number, number][] = []
  for (let minute = 3; minute < 12 * DAY; minute += 1 + upTo(40)) changes.push([minute, upTo(20_001)])
  // In pieces, as a follower does: a minute that is not over is written again.
  for (let n = 0; n < changes.length; n += 50) await write('random', changes.slice(Math.max(0, n - 1), n + 50))
  for (let round = 0; round < 150; round++) {
    const from = upTo(12 * DAY * 4) / 4
    const to = from + upTo(3 * DAY * 4) / 4
    const minutes = [1, 5, 7, 30, 60, 180, DAY][upTo(7)]!
    expect(await read('random', from, to, minutes), `${from} … ${to} in ${minutes}`).toEqual(naive(changes, from, to, minutes))
  }
})

/** The same of a grid: at each multiple of the step the last price that some minute ended with. */
function naiveGrid(changes: readonly [number, number][], from: number, to: number, minutes: number) {
  const laid: [number, number][] = []
  for (let at = Math.ceil(from); at <= to; at++) {
    const last = changes.findLast(([minute]) => minute + 1 <= at)
    if ((at + START / MINUTE) % minutes === 0 && last) laid.push([at, last[1] / 20_000])
  }
  return laid
}

test('on a grid there is at each step the last price before it, from the first one on', async () => {
  const { integer } = prng(23)
  const upTo = (most: number) => integer(0, most - 1)
  const changes: [number, number][] = []
  for (let minute = 200; minute < 6 * DAY; minute += 1 + upTo(90)) changes.push([minute, upTo(20_001)])
  await write('grid', changes)
  for (let round = 0; round < 100; round++) {
    const from = upTo(6 * DAY * 4) / 4
    const to = from + upTo(2 * DAY * 4) / 4
    const range = { from: START + from * MINUTE, to: START + to * MINUTE, minutes: [1, 5, 7, 60, 180, DAY][upTo(6)]! }
    const laid = onGrid(await readShownPrices({ pool, stream: 'grid' }, condition, 0, range), range.from, range.to)
    expect(
      laid.map(({ at, price }) => [(at - START) / MINUTE, price]),
      `${from} … ${to} in ${range.minutes}`,
    ).toEqual(naiveGrid(changes, from, to, range.minutes))
  }
})

test.each([
  ['nothing was ever priced', { before: null, points: [] }, 0, 3, []],
  ['a range between two moments of the grid', { before: 0.4, points: [] }, 0.2, 0.8, []],
  ['the price of before holds', { before: 0.4, points: [] }, 0.5, 2.5, [[1, 0.4], [2, 0.4]]], // biome-ignore format: rows
  ['both bounds lie on the grid', { before: 0.4, points: [[1, 0.5]] }, 0, 2, [[0, 0.4], [1, 0.5], [2, 0.5]]], // biome-ignore format: rows
  ['a step that is not over has no point', { before: null, points: [[1, 0.5], [2.5, 0.6]] }, 0, 2.5, [[1, 0.5], [2, 0.5]]], // biome-ignore format: rows
] as [string, { before: number | null; points: [number, number][] }, number, number, [number, number][]][])(
  'on a grid: %s',
  (_, { before, points }, from, to, laid) => {
    const shown = { before, points: points.map(([at, price]) => ({ until: at * MINUTE, price })), minutes: 1 }
    expect(onGrid(shown, from * MINUTE, to * MINUTE).map(({ at, price }) => [at / MINUTE, price])).toEqual(laid)
  },
)

test('a minute and the stretches around it keep their last price, and the other token has what is left of one', async () => {
  await write('twice', [[4, 8000]])
  await write('twice', [
    [4, 9000],
    [61, 9001],
  ])
  await write('twice', [[61, 9001]])
  expect(
    await query(
      url,
      `select minutes, (start - ${START}) / ${MINUTE} as at, half_steps from shown_rollup where stream = 'twice' order by 1, 2`,
    ),
  ).toEqual([
    { minutes: 5, at: '0', half_steps: 9000 },
    { minutes: 5, at: '60', half_steps: 9001 },
    { minutes: 60, at: '0', half_steps: 9000 },
    { minutes: 60, at: '60', half_steps: 9001 },
    { minutes: 1440, at: '0', half_steps: 9001 },
  ])
  const no = await readShownPrices({ pool, stream: 'twice' }, condition, 1, { from: START, to: START + DAY * MINUTE, minutes: 60 })
  expect(no).toEqual({
    minutes: 60,
    before: null,
    points: [
      { until: START + 60 * MINUTE, price: 0.55 },
      { until: START + 120 * MINUTE, price: 0.54995 },
    ],
  })
})

test('years in minutes are answered in steps that few rows make', async () => {
  await write(
    'years',
    Array.from({ length: 400 }, (_, week): [number, number] => [week * 7 * DAY, 1 + week]),
  )
  const { points } = await read('years', 0, 400 * 7 * DAY, 1)
  expect(points).toHaveLength(400)
  expect(points.slice(0, 2)).toEqual([
    [1440, 1 / 20_000],
    [7 * DAY + 1440, 2 / 20_000],
  ])
  expect((await read('years', 0, 365 * DAY, 55)).points[0]).toEqual([60, 1 / 20_000])
})

test('history records quoted prices, and keeps the last one while there are no quotes', () => {
  const replica = new Replica('main')
  const shown = new ShownPrices(replica.exchange)
  const noted = (minute: number, ...commands: Parameters<typeof rowOf>[2][]) => {
    const row = rowOf(replica, START + minute * MINUTE, commands.flat())
    shown.before(row.at)
    shown.after(replica.apply(row))
    return shown.take().map(({ minute, halfSteps }) => [(minute - START) / MINUTE, halfSteps / 200])
  }
  expect(noted(0, [register('rain'), deposit('ann', 100), deposit('bob', 100)])).toEqual([]) // the half of a new market is no price
  expect(noted(1, [place('a1', 'ann', 'BUY', 0, 30, 10)])).toEqual([[1, 30]])
  expect(noted(2, [place('b1', 'bob', 'BUY', 1, 66, 10)])).toEqual([[2, 32]])
  expect(noted(3, [{ type: 'cancel', account: address('ann'), orderId: id('a1') }])).toEqual([[3, 34]])
  expect(noted(4, [{ type: 'cancel', account: address('bob'), orderId: id('b1') }])).toEqual([]) // empty, and never traded
  expect(noted(5, [place('b2', 'bob', 'BUY', 1, 66, 10)])).toEqual([]) // as before
  expect(noted(6, [place('a2', 'ann', 'BUY', 0, 34, 10)])).toEqual([]) // the book is empty; it traded at the same
  expect(
    noted(7, [
      { type: 'set_condition', condition, mode: 'closed', grid: null, feeBps: null },
      { type: 'resolve', condition, weight: 10_000 },
    ]),
  ).toEqual([[7, 100]])
})
