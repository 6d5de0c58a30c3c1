import { query, withConnection } from '@augury/testing/connection'
import { expect, onTestFinished, test } from 'vitest'
import { FOLD_TABLES, fold } from '../src/record/history/folds.ts'
import { address, deposit, id, place, register } from './commands.ts'
import { told } from './story.ts'

/** More than a number counts: what the same money makes when it is traded again and again. */
const TRADED = '90071992547409930'
const MOST = Number.MAX_SAFE_INTEGER

test('a traded volume beyond the largest number leaves everything else readable', async () => {
  const { url, history } = await told([
    [0, [register('rain'), register('snow'), deposit('ann', 100), deposit('bob', 100)]],
    [1, [place('a', 'ann', 'BUY', 0, 40, 100), place('b', 'bob', 'BUY', 1, 60, 50)]],
  ])
  onTestFinished(() => history.close())
  await query(
    url,
    `update position set bought_cost = ${TRADED}, bought_lots = ${TRADED}, sold_cost = ${TRADED}, sold_lots = ${TRADED}, redeemed_lots = ${TRADED}
    where account = '\\x${address('ann').slice(2)}'`,
  )
  await query(url, `update condition_stats set volume = ${TRADED}; update price_point set volume = ${TRADED}`)
  const rain = id('rain')
  const now = Number((await query(url, 'select max(at)::text as at from trade'))[0].at)
  expect((await history.stats([rain, id('snow')], now)).get(rain)).toMatchObject({ volume: MOST, volume24h: MOST, holders: 2 })
  expect((await history.holders(rain, 0, 10)).map(({ account, lots }) => [account, lots])).toEqual([[address('ann'), 5000]])
  expect(await history.positions(address('ann'))).toMatchObject([{ lots: 5000, goneLots: MOST }])
  expect((await history.totalsOf([address('ann'), address('bob')])).get(address('ann'))).toMatchObject({ volume: MOST, trades: 1 })
  const board = await history.standings(new Map([[rain, 10_000]]), null, 'volume', 10)
  expect(board.map(({ account }) => account)).toEqual([address('ann'), address('bob')])
})

test('a profit or a conversion beyond the largest number leaves everything else readable', async () => {
  const { url, history } = await told([
    [0, [register('rain'), deposit('ann', 100), deposit('bob', 100)]],
    [1, [place('a', 'ann', 'BUY', 0, 40, 100), place('b', 'bob', 'BUY', 1, 60, 50)]],
  ])
  onTestFinished(() => history.close())
  const set = (name: string, outcome: number, values: string) =>
    query(url, `update position set ${values} where account = '\\x${address(name).slice(2)}' and outcome = ${outcome}`)
  await set('ann', 0, `realised = ${TRADED}, gone_cost = ${TRADED}, fees = ${TRADED}`)
  await set('bob', 1, `realised = -${TRADED}, converted_lots = -${TRADED}`)
  expect(await history.positions(address('ann'))).toMatchObject([{ lots: 5000, realised: MOST, goneCost: MOST, fees: MOST }])
  expect(await history.positions(address('bob'))).toMatchObject([{ lots: 5000, realised: -MOST, goneLots: MOST }])
  const board = await history.standings(new Map([[id('rain'), 10_000]]), null, 'profit', 10)
  expect(board).toMatchObject([
    { account: address('ann'), profit: MOST },
    { account: address('bob'), profit: -MOST },
  ])
})

test('history goes on when the same money was traded more often than its columns count', async () => {
  const rows = [register('rain'), deposit('ann', 100), deposit('bob', 100), place('a', 'ann', 'BUY', 0, 40, 100)]
  const { url, history, exchange } = await told([[0, [...rows, place('b', 'bob', 'BUY', 1, 60, 50), place('c', 'bob', 'BUY', 1, 60, 50)]]])
  onTestFinished(() => history.close())
  const largest = '9223372036854775807'
  await withConnection(url, async (client) => {
    await client.query('begin')
    for (const table of FOLD_TABLES) await client.query(`delete from ${table}`)
    await fold(client, 'main', 0, exchange.seq - 1)
    await client.query(
      `update position set bought_cost = ${largest}, bought_lots = ${largest}; update condition_stats set volume = ${largest}`,
    )
    await fold(client, 'main', exchange.seq - 1, exchange.seq)
    await client.query('commit')
  })
  const positions = await query(url, 'select lots::int as lots, bought_lots::text as bought, bought_cost::text as cost from position')
  expect(positions).toEqual([1, 2].map(() => ({ lots: 10_000, bought: largest, cost: largest })))
  const stats = await query(url, 'select volume::text as volume, trades::int as trades from condition_stats')
  expect(stats).toEqual([{ volume: largest, trades: 2 }])
  expect((await history.stats([id('rain')], 0)).get(id('rain'))).toMatchObject({ volume: MOST, trades: 2 })
})
