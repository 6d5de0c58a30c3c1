import type { PublicTrade } from '@augury/wire/trade'
import { expect, test } from 'vitest'
import { workerScheduler } from '../src/authorization/scheduler.ts'
import { runJob } from '../src/jobs/run-job.ts'
import { figuresJob } from '../src/sync/figures.ts'
import { CREATOR, discoveryEvent, openEvents, testPlatform } from './test-platform.ts'

const { platform, clock } = await testPlatform()
const rows = async <T>(sql: string, values: unknown[] = []): Promise<T[]> => platform.em().execute(sql, values)
await openEvents(platform, [discoveryEvent('rain', 'Will it rain?', ['weather'], [{ slug: 'rain' }])])
/** When the exchange had its first market: two hours before this deployment knew of one. */
const created_at = new Date(clock.now() - 7_200_000).toISOString()
const [market] = await rows<{ id: string }>('select condition_id as id from market')

/** Trades by Unix second and of their markets, and by how many seconds the exchange's history is behind. */
const trades: { timestamp: number; market: string }[] = []
const creators = new Map<string, string>()
let lag = 0
const exchange = async () => ({
  listMarkets: async () => ({ data: [{ created_at }] }) as never,
  getStatus: async () => ({ lag }) as never,
  async listTrades({ query }: { query: { after?: number; before?: number } }) {
    const { after = 0, before = 0 } = query
    const known = trades.filter(({ timestamp: at }) => at > after && at < before && at <= clock.now() / 1000 - lag)
    const data = known.map((trade) => ({ ...trade, usdc_size: '2', fee: '0.1' }) as unknown as PublicTrade)
    return { data, next_cursor: 'LTE=' }
  },
  getMarket: async ({ params }: { params: { condition_id: string } }) => ({ creator: creators.get(params.condition_id) }) as never,
})
const run = () => runJob(platform, workerScheduler('test'), figuresJob(exchange as never, CREATOR))
const counted = () => rows('select trades, volume, fees from site_day')

test('trades that the history of the exchange reaches late are counted, and once', async () => {
  const second = Math.floor(clock.now() / 1000)
  trades.push({ timestamp: second - 7000, market: market!.id }, { timestamp: second - 300, market: market!.id })
  lag = 600
  expect(await run()).toMatchObject({ success: true, trades: 1, errors: 0 })
  clock.advance(120_000)
  lag = 0
  expect(await run()).toMatchObject({ success: true, trades: 1, errors: 0 })
  clock.advance(120_000)
  lag = 900
  expect(await run()).toMatchObject({ success: true, errors: 0 })
  expect(await counted()).toEqual([{ trades: 2, volume: '4000000', fees: '200000' }])
})

test('a trade counts although the deployment does not have its own market yet; that of another creator does not', async () => {
  const [ours, theirs] = ['0x'.padEnd(66, 'a'), '0x'.padEnd(66, 'b')]
  creators.set(ours, CREATOR.toUpperCase().replace('0X', '0x')).set(theirs, '0x00000000000000000000000000000000000000d1')
  lag = 0
  const timestamp = Math.floor(clock.now() / 1000)
  trades.push({ timestamp, market: ours }, { timestamp, market: theirs }, { timestamp, market: ours })
  clock.advance(120_000)
  expect(await run()).toMatchObject({ success: true, trades: 2, errors: 0 })
  expect(await counted()).toEqual([{ trades: 4, volume: '8000000', fees: '400000' }])
})

test('days that an earlier release counted otherwise are counted anew, once', async () => {
  const [{ cursor }] = (await rows(`select cursor from sync_job where name = 'figures'`)) as [{ cursor: string }]
  await rows(`update sync_job set cursor = ? where name = 'figures'`, [cursor.split(' ').at(-1)])
  await rows('update site_day set trades = 1, volume = 5, members = 7')
  expect(await run()).toMatchObject({ success: true, trades: 4, errors: 0 })
  expect(await counted()).toEqual([{ trades: 4, volume: '8000000', fees: '400000' }])
  expect(await run()).toMatchObject({ success: true, errors: 0 })
  expect(await counted()).toEqual([{ trades: 4, volume: '8000000', fees: '400000' }])
})
