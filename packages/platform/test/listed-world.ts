import { workerScheduler } from '../src/authorization/scheduler.ts'
import { type Job, runJob } from '../src/jobs/run-job.ts'
import { eventsJob } from '../src/sync/events.ts'
import { resolutionJob } from '../src/sync/resolution.ts'
import { ListingExchange } from './listing-exchange.ts'
import { CREATOR, testPlatform } from './test-platform.ts'

/** The creator of markets that a deployment may show beside its own. */
export const FRIEND = '0x00000000000000000000000000000000000000F1'

/** A deployment whose jobs read markets from a fake exchange. `reset` begins anew, for a test of its own. */
export async function listedWorld() {
  const { platform, clock } = await testPlatform()
  const exchange = new ListingExchange()
  const client = async () => exchange.client
  const run = (job: Job) => runJob(platform, workerScheduler('test'), job)
  const read = async <T = Record<string, unknown>>(sql: string, values: unknown[] = []): Promise<T[]> => platform.em().execute(sql, values)
  return {
    platform,
    clock,
    exchange,
    run,
    read,
    events: () => run(eventsJob(client, CREATOR)),
    resolution: () => run(resolutionJob(client, CREATOR)),
    showCreators: (creators: string[]) =>
      read(
        `insert into settings_version (group_name, number, values, created_at) values ('general', (select count(*) + 1 from settings_version), ?::jsonb, now())`,
        [JSON.stringify({ marketCreators: creators })],
      ),
    statuses: () => read('select slug, status, is_shown from event order by slug'),
    market: async (slug: string) => (await read('select * from market where slug = ?', [slug]))[0],
    async reset() {
      for (const table of [
        'sync_run',
        'sync_failure',
        'sync_job',
        'settings_version',
        'event_tag',
        'price_point',
        'outcome',
        'market',
        'event',
      ])
        await read(`delete from ${table}`)
      Object.assign(exchange, { listed: [], asked: [], meanwhile: async () => {} })
      clock.advance(86_400_000) // no failure of another test is pending in this one
    },
  }
}
