import { expect, test } from 'vitest'
import { workerScheduler } from '../src/authorization/scheduler.ts'
import { runJob } from '../src/jobs/run-job.ts'
import { volumeJob } from '../src/sync/volume.ts'
import { fakeExchange } from './fake-exchange.ts'
import { discoveryEvent, openEvents, testPlatform } from './test-platform.ts'

const { platform } = await testPlatform()
await openEvents(platform, [discoveryEvent('pair', 'A pair', ['t'], [{ slug: 'p-1' }, { slug: 'p-2' }])])
const read = async <T = Record<string, unknown>>(sql: string): Promise<T[]> => platform.em().execute(sql)

/** Runs the job with an exchange that returns these figures for every market. */
async function look(figures: { volume: string; volume_24h: string; open_interest: string }) {
  const { client, asked } = fakeExchange({
    volume: (condition_id) => ({ condition_id, status: 200, ...figures, active_positions_count: 2 }),
  })
  const result = await runJob(
    platform,
    workerScheduler('test'),
    volumeJob(async () => client),
  )
  return { result, asked: asked.flat().length }
}
const totals = async () => (await read('select sum(volume_24h)::int as day, sum(open_interest)::int as open from market'))[0]
const ofEvent = async () => (await read('select volume::int as volume, volume_24h::int as day from event'))[0]
const resolve = () =>
  read(`update market set is_resolved = true, is_active = false, weight = 10000, resolution_status = 'confirmed', updated_at = now()`)
const anHourLater = () => read(`update market set updated_at = now() - interval '1 hour'`)

test("a resolved market's daily volume expires, and it has no open interest", async () => {
  expect(await look({ volume: '5', volume_24h: '5', open_interest: '3' })).toMatchObject({ asked: 2 })
  await resolve()
  await anHourLater()
  expect(await look({ volume: '6', volume_24h: '6', open_interest: '3' })).toMatchObject({ result: { updated: 2, errors: 0 }, asked: 2 })
  expect(await ofEvent()).toEqual({ volume: 12_000_000, day: 12_000_000 }) // including the last trades before the result
  await anHourLater()
  expect(await look({ volume: '6', volume_24h: '0', open_interest: '0' })).toMatchObject({ result: { updated: 2 }, asked: 2 })
  expect([await totals(), await ofEvent()]).toEqual([
    { day: 0, open: 0 },
    { volume: 12_000_000, day: 0 },
  ])
  await anHourLater()
  expect(await look({ volume: '6', volume_24h: '0', open_interest: '0' })).toMatchObject({ result: { scanned: 0 }, asked: 0 })
})

test('a market resolved before the first run has its volume', async () => {
  await read('update market set volume = 0; update event set volume = 0')
  await resolve()
  expect(await look({ volume: '7', volume_24h: '7', open_interest: '0' })).toMatchObject({ result: { updated: 2 }, asked: 2 })
  expect(await ofEvent()).toEqual({ volume: 14_000_000, day: 14_000_000 })
})
