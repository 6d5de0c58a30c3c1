import { query } from '@augury/testing/connection'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ReadModel } from '../src/record/history/read-model.ts'
import type { Page, PageRequest } from '../src/record/history/read-query.ts'
import { address, id } from './commands.ts'
import { MINUTE, NOON, rain, STORY, tellStory, told } from './story.ts'

let history: Awaited<ReturnType<typeof tellStory>>
beforeAll(async () => {
  history = await tellStory()
})
afterAll(() => history.close())

const all: PageRequest = { limit: 100, cursor: null }

/** Every page of a list, one row at a time. */
async function pages<Row>(list: (page: PageRequest) => Promise<Page<Row>>): Promise<Row[]> {
  const rows: Row[] = []
  for (let cursor: string | null = null; ; ) {
    const page: Page<Row> = await list({ limit: 1, cursor })
    rows.push(...page.rows)
    if (page.next === null) return rows
    cursor = page.next
  }
}

const brief = ({ side, outcome, price, lots, makers }: Awaited<ReturnType<ReadModel['trades']>>['rows'][number]) =>
  `${side} ${outcome} ${lots}@${price} <- ${makers.map((maker) => `${maker.kind} ${maker.side} ${maker.outcome} ${maker.lots}@${maker.price}`).join(', ')}`

test('a trade is one taker at one price, in the taker’s token, and its makers are listed in theirs', async () => {
  expect((await history.trades({}, all)).rows.map(brief)).toMatchInlineSnapshot(`
    [
      "BUY 0 500@4000 <- direct SELL 0 500@4000",
      "BUY 1 1000@5000 <- mint BUY 0 1000@5000",
      "BUY 0 500@5600 <- direct SELL 0 500@5600",
      "BUY 0 6000@5500 <- direct SELL 0 4000@5500, mint BUY 1 2000@4500",
    ]
  `)
})

const ids = ({ rows }: Page<{ id: string }>) => rows.map((row) => row.id)

test.each<[string, Parameters<ReadModel['trades']>[0], string[]]>([
  ['one condition', { conditions: [rain] }, ['15-1', '11-3', '11-1']],
  ['several', { conditions: [rain, id('snow')] }, ['15-1', '13-1', '11-3', '11-1']],
  ['none that exists', { conditions: [] }, []],
  ['one id', { id: '11-3' }, ['11-3']],
  ['an id that is no id', { id: "1' or true" }, []],
  ['one token', { outcome: 1 }, ['13-1']],
  ['one side', { side: 'SELL' }, []],
  ['a least value', { minCost: 500 * 5600 }, ['13-1', '11-3', '11-1']],
  ['before a moment', { before: NOON + 4 * MINUTE + 1234 }, ['11-3', '11-1']],
  ['after a moment', { after: NOON + 3 * MINUTE + 1234 }, ['15-1', '13-1']],
  ['between moments in which nothing happened', { after: NOON + 10 * MINUTE, before: NOON + 20 * MINUTE }, []],
])('trades of %s', async (_, filter, expected) => {
  expect(ids(await history.trades(filter, all))).toEqual(expected)
})

test.each<[string, string, Parameters<ReadModel['trades']>[0], string[]]>([
  ['ann', 'as maker and as taker', {}, ['15-1', '11-3', '11-1']],
  ['bob', 'as taker, and later as maker', {}, ['15-1', '11-3', '11-1']],
  ['cid', 'as maker of one part', {}, ['11-1']],
  ['cid', 'by the token she traded', { outcome: 1 }, ['11-1']],
  ['cid', 'by the token she did not trade', { outcome: 0 }, []],
  ['cid', 'by the token she traded, in which its taker sold', { outcome: 1, side: 'SELL' }, ['11-1']],
  ['cid', 'by the token she traded, in which its taker did not buy', { outcome: 1, side: 'BUY' }, []],
  ['cid', 'by the value in the token she traded', { outcome: 1, minCost: 6000 * 4500 }, ['11-1']],
  ['cid', 'by a value only the other token had', { outcome: 1, minCost: 6000 * 4500 + 1 }, []],
  ['dee', 'with herself, once', {}, ['13-1']],
  ['eve', 'who never traded', {}, []],
])('trades of %s %s', async (name, _, filter, expected) => {
  expect(ids(await history.tradesOf(address(name), filter, all))).toEqual(expected)
})

test('orders are as they ended or stand', async () => {
  const names = ['a1', 'a2', 'a3', 'b1', 'b2', 'b3', 'b4', 'c1', 'd1', 'd2']
  const found = await history.orders([...names, 'never'].map(id))
  const told = names.map((name) => {
    const { state, reason, lots, matched, matchedCost, endedAt, first } = found.get(id(name))!
    const ended = endedAt === null ? '' : ` at ${Math.floor((endedAt - NOON) / MINUTE)}`
    return `${name} ${state}${reason ? ` (${reason})` : ''}${ended}: ${matched} of ${lots} for ${matchedCost}, at first ${first.matched}, fee ${first.fee}`
  })
  expect(found.size).toBe(names.length)
  expect(told).toMatchInlineSnapshot(`
    [
      "a1 filled at 3: 4000 of 4000 for 22000000, at first 0, fee 0",
      "a2 cancelled (user) at 1501: 500 of 1000 for 2800000, at first 0, fee 0",
      "a3 filled at 1500: 500 of 500 for 2000000, at first 500, fee 84000",
      "b1 filled at 3: 6500 of 6500 for 35800000, at first 6500, fee 1125740",
      "b2 filled at 1500: 500 of 500 for 2000000, at first 0, fee 0",
      "b3 cancelled (market_closed) at 1504: 0 of 500 for 0, at first 0, fee 0",
      "b4 cancelled (market_closed) at 1504: 0 of 1000 for 0, at first 0, fee 0",
      "c1 filled at 3: 2000 of 2000 for 9000000, at first 0, fee 0",
      "d1 filled at 4: 1000 of 1000 for 5000000, at first 0, fee 0",
      "d2 filled at 4: 1000 of 1000 for 5000000, at first 1000, fee 0",
    ]
  `)
})

test('what has ended last changed when it ended', async () => {
  const names = ['a1', 'a2', 'a3', 'b1', 'b2', 'b3', 'b4', 'c1', 'd1', 'd2'].map(id)
  const [found, changed] = [await history.orders(names), await history.changedAt([...names, id('never')])]
  expect(changed).toEqual(new Map(names.map((order) => [order, found.get(order)!.endedAt])))
})

test('orders are found by the name their account gave them', async () => {
  const names = [
    { account: address('ann'), clientOrderId: 'name of a1' },
    { account: address('bob'), clientOrderId: 'name of a1' },
    { account: address('dee'), clientOrderId: 'name of d2' },
  ]
  const found = await history.ordersByClientId(names)
  expect([...found].map(([key, { orderId }]) => [key, orderId])).toEqual(
    expect.arrayContaining([
      [`${address('ann')}/name of a1`, id('a1')],
      [`${address('dee')}/name of d2`, id('d2')],
    ]),
  )
  expect(found.size).toBe(2)
})

test.each<[string, string, number, string[], number, string[]]>([
  ['filled or cancelled', 'ann', 0, [], 10, ['a2', 'a3', 'a1']],
  ['filled, and cancelled by the exchange', 'ann', 0, ['user'], 10, ['a3', 'a1']],
  ['the last one of these', 'ann', 0, ['user'], 1, ['a3']],
  ['after a moment', 'ann', NOON + 1500 * MINUTE + 1234, [], 10, ['a2']],
  ['ended by the exchange', 'bob', NOON + 1501 * MINUTE, ['user'], 10, ['b4', 'b3']],
  ['of an unknown account', 'eve', 0, [], 10, []],
])('orders that ended, last end first: %s', async (_, name, after, besides, limit, expected) => {
  const found = await history.endings(address(name), after, besides, limit)
  expect(found.map(({ orderId }) => orderId)).toEqual(expected.map(id))
})

test('totals, positions and holders', async () => {
  const now = NOON + 1510 * MINUTE
  const stats = await history.stats([rain, id('snow'), id('never')], now)
  expect([...stats.values()].map(({ condition: _, ...rest }) => rest)).toMatchInlineSnapshot(`
    [
      {
        "holders": 3,
        "lastPrice": 4000,
        "openInterest": 60000000,
        "trades": 3,
        "volume": 37800000,
        "volume24h": 2000000,
      },
      {
        "holders": 2,
        "lastPrice": 5000,
        "openInterest": 10000000,
        "trades": 1,
        "volume": 5000000,
        "volume24h": 0,
      },
      {
        "holders": 0,
        "lastPrice": null,
        "openInterest": 0,
        "trades": 0,
        "volume": 0,
        "volume24h": 0,
      },
    ]
  `)
  expect(await history.openInterest()).toBe(70_000_000)
  expect((await history.positions(address('bob'))).map(({ condition: _, account: __, ...rest }) => rest)).toMatchInlineSnapshot(`
    [
      {
        "changedAt": 1800090301234,
        "fees": 1125740,
        "goneCost": 36925740,
        "goneLots": 6500,
        "heldCost": 0,
        "lots": 0,
        "outcome": 0,
        "realised": 25074260,
        "redeemed": 60000000,
        "redeemedLots": 6000,
      },
    ]
  `)
  expect(await history.positions(address('bob'), [id('snow')])).toEqual([])
  expect((await history.holders(rain, 0, 10)).map(({ account, lots }) => [account, lots])).toEqual([[address('ann'), 6000]])
})

test('what happened to an account, entry by entry', async () => {
  const { rows } = await history.ledger(address('bob'), all)
  const entry = ({ seq, asset, delta, balance, reason }: (typeof rows)[number]) =>
    `${seq} ${reason} ${asset ? asset.outcome : 'usdc'} ${delta} -> ${balance}`
  expect(rows.map(entry)).toMatchInlineSnapshot(`
    [
      "24 redeem usdc 60000000 -> 1025091060",
      "24 redeem 0 -6000 -> 0",
      "15 rebate usdc 16800 -> 965091060",
      "15 trade usdc 2000000 -> 965074260",
      "15 trade 0 -500 -> 6000",
      "11 fee usdc -1125740 -> 963074260",
      "11 trade 0 6500 -> 6500",
      "11 trade usdc -35800000 -> 964200000",
      "4 deposit usdc 1000000000 -> 1000000000",
    ]
  `)
})

test('a transfer is known by its ref for ever', async () => {
  const found = await history.transfers([id('deposit ann'), id('out'), id('never')])
  expect(found.get(id('deposit ann'))).toMatchObject({
    kind: 'deposit',
    account: address('ann'),
    amount: 1_000_000_000,
    state: 'done',
    seq: 3,
  })
  expect(found.get(id('out'))).toMatchObject({ kind: 'withdrawal', account: address('cid'), amount: 5_000_000, state: 'settled' })
  expect(found.size).toBe(2)
})

describe('pages', () => {
  const lists: [string, (page: PageRequest) => Promise<Page<unknown>>][] = [
    ['trades', (page) => history.trades({}, page)],
    ['trades of an account', (page) => history.tradesOf(address('bob'), {}, page)],
    ['ledger entries', (page) => history.ledger(address('bob'), page)],
  ]
  test.each(lists)('%s one by one are the same as all at once', async (_, list) => {
    const { rows, next } = await list(all)
    expect(rows.length).toBeGreaterThan(2)
    expect(next).toBe(null)
    expect(await pages(list)).toEqual(rows)
  })
  test.each(['x', 'MTIz', Buffer.from('1-1;drop').toString('base64url'), ''])(
    'a cursor that is not ours is refused: %j',
    async (cursor) => {
      for (const [, list] of lists) await expect(list({ limit: 1, cursor })).rejects.toMatchObject({ code: 'invalid_payload' })
    },
  )
})

test('a reader waits for what history has, and is refused when it does not come', async () => {
  await history.waitFor(history.projectedSeq())
  await expect(history.waitFor(history.projectedSeq() + 1)).rejects.toMatchObject({ code: 'read_model_lagging', retryAfter: 1 })
})

test('an account’s number of trades is stored, and not counted on a request', async () => {
  const { url, history: kept } = await told(STORY)
  await query(url, 'delete from fill; delete from trade')
  const totals = await kept.totalsOf(['ann', 'bob', 'cid', 'dee', 'unknown'].map(address))
  await kept.close()
  expect([...totals.values()].map(({ trades }) => trades).sort()).toEqual([1, 1, 3, 3]) // a self-trade counts once
  expect(totals.get(address('dee'))).toEqual({ volume: 2 * 1000 * 5000, trades: 1 })
})
