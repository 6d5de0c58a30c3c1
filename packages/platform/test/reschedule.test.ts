import { expect, test } from 'vitest'
import { workerScheduler } from '../src/authorization/scheduler.ts'
import { runJob } from '../src/jobs/run-job.ts'
import { type Resolver, recordStep } from '../src/resolution/history.ts'
import { settlementJob } from '../src/resolution/settle.ts'
import { LedgerExchange } from './ledger-exchange.ts'
import { CREATOR, discoveryEvent, openEvents, testPlatform } from './test-platform.ts'

const { platform, clock } = await testPlatform()
const rows = async <T>(sql: string, values: unknown[] = []): Promise<T[]> => platform.em().execute(sql, values)
await openEvents(platform, [discoveryEvent('cup', 'Who wins the cup?', ['sports'], [{ slug: 'reds' }, { slug: 'blues' }])])
const markets = await rows<{ id: string }>('select condition_id as id from market order by position')
const users = await rows<{ id: string; address: string }>(
  `insert into users (address, affiliate_code) select '0xab' || lpad(n::text, 38, '0'), 'mover' || n from generate_series(1, 4) n returning id, address`,
)
const [holder, seller, saver, stranger] = users as [(typeof users)[0], (typeof users)[0], (typeof users)[0], (typeof users)[0]]
await rows('insert into bookmark (user_id, event_id) select ?, id from event', [saver.id])

const exchange = new LedgerExchange(CREATOR)
for (const { id } of markets) {
  exchange.open(id)
  exchange.trade(id, holder.address, seller.address, 4000, 100)
}
const settle = () =>
  runJob(
    platform,
    workerScheduler('test'),
    settlementJob(async () => exchange.client, CREATOR),
  )
const by: Resolver = { kind: 'operator', userId: stranger.id, address: CREATOR, named: [] }
/** What the use case stores of a moved end. */
async function move(hours: number): Promise<Date> {
  const end = new Date(platform.now().getTime() + hours * 3_600_000)
  const at = platform.now()
  for (const { id } of markets)
    await platform.em().transactional(async (em) => {
      await em.execute('update market set end_time = ? where condition_id = ?', [end, id])
      await recordStep(em, by, id, { step: 'rescheduled', at, note: 'Rain.', deadline: end })
      await em.execute('update settlement set moved_at = ? where market_condition_id = ?', [at, id])
    })
  return end
}
const told = (id: string) => rows<{ description: string }>('select description from notification where user_id = ? order by id', [id])

test('holders and those who saved the event are notified once of a move of all its markets, and again of the next move', async () => {
  const end = await move(48)
  const text = (at: Date) => ({
    description: `Who wins the cup?: trading ends on ${at.toISOString().replace('T', ' ').slice(0, 16)} UTC. Rain.`,
  })
  for (const _ of [1, 2]) expect(await settle()).toMatchObject({ success: true, errors: 0 })
  for (const { id } of [holder, seller, saver]) expect(await told(id)).toEqual([text(end)])
  expect(await told(stranger.id)).toEqual([])
  clock.advance(60_000)
  const next = await move(72)
  expect(await settle()).toMatchObject({ success: true, errors: 0 })
  for (const { id } of [holder, seller, saver]) expect(await told(id)).toEqual([text(end), text(next)])
})

test('a market whose end moves after the worker has seen it as over is not closed', async () => {
  await move(1)
  await settle()
  clock.advance(3 * 3_600_000) // over, and not closed yet
  const later = new Date(platform.now().getTime() + 3_600_000)
  // The job asks for the exchange once it has its list: here an admin is faster with the second market.
  const run = runJob(
    platform,
    workerScheduler('test'),
    settlementJob(async () => {
      await rows('update market set end_time = ? where condition_id = ?', [later, markets[1]!.id])
      return exchange.client
    }, CREATOR),
  )
  expect(await run).toMatchObject({ success: true, errors: 0, closed: 1 })
  expect(markets.map(({ id }) => exchange.conditions.get(id)!.mode)).toEqual(['closed', 'open'])
})
