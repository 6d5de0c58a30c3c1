import type { Command, Hex } from '@augury/engine/command'
import { expect, onTestFinished, test } from 'vitest'
import type { Movement } from '../src/record/history/read-accounts.ts'
import { listActivity } from '../src/serve/operations/list-activity.ts'
import { address, deposit, id, place, register } from './commands.ts'
import { told } from './story.ts'

const ROUNDS = 30

/** Ann offers both tokens at one price, and Bob takes both offers at once: two movements of hers in one trade. */
function* rounds(): Generator<[number, Command[]]> {
  yield [0, [register('rain'), deposit('ann', 10_000), deposit('bob', 10_000)]]
  yield [0, [{ type: 'split', account: address('ann'), condition: id('rain'), lots: 100_000, request: id('split') }]]
  for (let n = 0; n < ROUNDS; n++)
    yield [
      1,
      [place(`yes ${n}`, 'ann', 'SELL', 0, 55, 10), place(`no ${n}`, 'ann', 'BUY', 1, 45, 10), place(`both ${n}`, 'bob', 'BUY', 0, 55, 20)],
    ]
}

const nameOf = ({ seq, n, type, side, outcome }: Movement) => `${seq}-${n} ${type} ${side} ${outcome}`

test.each([
  ['newest first', false],
  ['oldest first', true],
])('every movement is on one page, %s, also where a trade made two of them', async (_, oldestFirst) => {
  const { history } = await told(rounds())
  onTestFinished(() => history.close())
  const read = async (limit: number, offset: number) =>
    (await history.movements(address('ann'), {}, { limit, offset, oldestFirst })).map(nameOf)
  const all = await read(1000, 0)
  expect(new Set(all.map((name) => name.split(' ')[0])).size).toBe(ROUNDS + 2 + ROUNDS) // rebates, too

  for (const size of [1, 3, 7]) {
    const paged: string[] = []
    for (let page = await read(size, 0); page.length > 0; page = await read(size, paged.length)) paged.push(...page)
    expect(paged).toEqual(all)
  }
  const backwards = await history.movements(address('ann'), {}, { limit: 1000, offset: 0, oldestFirst: !oldestFirst })
  expect(backwards.map(nameOf).reverse()).toEqual(all)
})

test('all trades of an order are one movement, wherever a page ends, and what it moved is what its trades moved', async () => {
  function* story(): Generator<[number, Command[]]> {
    yield [0, [register('rain'), deposit('ann', 10_000), deposit('bob', 10_000)]]
    yield [1, [place('low', 'ann', 'BUY', 1, 60, 10), place('high', 'ann', 'BUY', 1, 55, 10)]]
    yield [1, [place('sweep', 'bob', 'BUY', 0, 50, 40)]] // takes two prices, and rests with 20
    yield [1, [place('more', 'ann', 'BUY', 1, 50, 5)]]
    yield [1, [place('other', 'bob', 'BUY', 1, 20, 5)]]
    yield [1, [place('rest', 'ann', 'BUY', 1, 50, 15)]]
  }
  const { history } = await told(story())
  onTestFinished(() => history.close())
  const read = (name: string, byOrder: boolean, limit = 100, offset = 0) =>
    history.movements(address(name), { types: ['TRADE'], byOrder }, { limit, offset })
  const sums = (rows: Movement[]) => rows.reduce((sum, { lots, usdc, fee }) => [sum[0]! + lots, sum[1]! + usdc, sum[2]! + fee], [0, 0, 0])
  for (const [name, orders] of [
    ['bob', 1],
    ['ann', 4],
  ] as const) {
    const rows = await read(name, true)
    expect(rows.length).toBe(orders)
    expect(sums(rows)).toEqual(sums(await read(name, false)))
    const paged = []
    for (let n = 0; n < orders; n++) paged.push(...(await read(name, true, 1, n)))
    expect(paged).toEqual(rows)
    for (const { lots, fee, fills } of rows)
      expect([lots, fee]).toEqual(['lots', 'fee'].map((name) => fills!.reduce((sum, fill) => sum + fill[name as 'lots'], 0)))
  }
  expect((await read('bob', true))[0]).toMatchObject({
    lots: 4000,
    fills: [{ price: 5000 }, { price: 5000 }, { price: 4500 }, { price: 4000 }],
  })
})

test('activity includes what its reader has just done, as positions do', async () => {
  const deposited = {
    seq: 7,
    n: 1,
    at: 1000,
    type: 'DEPOSIT',
    condition: null,
    outcome: null,
    side: null,
    lots: 0,
    usdc: 7_000_000,
    fee: 0,
    fills: null,
  }
  let written = 6
  const waitFor = async (seq: number) => {
    await new Promise(setImmediate)
    written = seq
  }
  const readModel = { waitFor, movements: async () => (written >= deposited.seq ? [deposited] : []) }
  const ctx = { venue: { readModel, stream: 'main' }, exchange: { seq: 7 }, wallets: { accountOf: (user: Hex) => user } }
  const asked = { query: { user: address('ann'), limit: 10, offset: 0 } }
  expect(await listActivity(ctx as never, null as never, asked as never)).toMatchObject([{ type: 'DEPOSIT', usdcSize: 7 }])
})
