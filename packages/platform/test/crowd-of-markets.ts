import { statusOf } from '@augury/wire/operation'
import { platformOperations } from '@augury/wire/platform/operations'
import { workerScheduler } from '../src/authorization/scheduler.ts'
import { type Job, type RunOptions, runJob } from '../src/jobs/run-job.ts'
import { pricesJob } from '../src/sync/prices.ts'
import { volumeJob } from '../src/sync/volume.ts'
import { type Answers, fakeExchange } from './fake-exchange.ts'
import { discoveryEvent, openEvents, testPlatform } from './test-platform.ts'

/** A platform with 518 markets `m-0` to `m-517` in one event and `p-1` and `p-2` in another, and jobs that read them from a fake exchange. */
export async function crowdOfMarkets() {
  const { platform, clock } = await testPlatform()
  const scheduler = workerScheduler('test')
  const crowd = Array.from({ length: 518 }, (_, index) => ({ slug: `m-${index}` }))
  await openEvents(platform, [
    discoveryEvent('crowd', 'A crowd', ['t'], crowd),
    discoveryEvent('pair', 'A pair', ['t'], [{ slug: 'p-1' }, { slug: 'p-2' }]),
  ])
  const read = async <T>(sql: string, values: unknown[] = []): Promise<T[]> => platform.em().execute(sql, values)
  const markets = await read<{ condition_id: string; slug: string; token: string }>(
    'select condition_id, slug, token_id as token from market join outcome on market_condition_id = condition_id and index = 0 order by condition_id',
  )
  const market = (slug: string) => markets.find((each) => each.slug === slug)!
  const job = (make: typeof volumeJob | typeof pricesJob, answers: Answers, options?: RunOptions) => {
    const { client, asked } = fakeExchange(answers)
    return {
      asked,
      run: () =>
        runOnce(
          make(async () => client),
          options,
        ),
    }
  }
  const runOnce = async (work: Job, options?: RunOptions) => {
    const body = await runJob(platform, scheduler, work, options)
    return { status: statusOf(platformOperations.syncPrices, body), body }
  }
  return {
    ...{ platform, clock, scheduler, markets, read, runOnce },
    id: (slug: string) => market(slug).condition_id,
    token: (slug: string) => market(slug).token,
    volumes: (answers: Answers, options?: RunOptions) => job(volumeJob, answers, options),
    prices: (answers: Answers, options?: RunOptions) => job(pricesJob, answers, options),
    /** As it was in the beginning: no job ever ran. */
    async reset() {
      for (const table of ['sync_run', 'sync_failure', 'sync_job', 'price_point', 'price_rollup']) await read(`delete from ${table}`)
      await read(
        `update market set volume = 0, volume_24h = 0, price = 5000, best_bid = null, best_ask = null, last_trade = null, liquidity = 0`,
      )
      await read(`update event set volume = 0, volume_24h = 0, liquidity = 0`)
    },
  }
}
