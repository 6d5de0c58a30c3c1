import { query } from '@augury/testing/connection'
import { expect, onTestFinished, test } from 'vitest'
import { address, deposit, id, place, register } from './commands.ts'
import { told } from './story.ts'

/** More than a number counts: what the same money makes when it is traded again and again. */
const TRADED = '90071992547409930'
const MOST = Number.MAX_SAFE_INTEGER

test('what was traded beyond what a number counts costs nobody what else there is to read', async () => {
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
  expect(await history.positions(address('ann'))).toMatchObject([{ lots: 5000, boughtCost: MOST, soldCost: MOST }])
  expect((await history.totalsOf([address('ann'), address('bob')])).get(address('ann'))).toMatchObject({ volume: MOST, trades: 1 })
  const board = await history.standings(new Map([[rain, 10_000]]), null, 'volume', 10)
  expect(board.map(({ account }) => account)).toEqual([address('ann'), address('bob')])
})
