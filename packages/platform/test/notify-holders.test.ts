import { expect, test } from 'vitest'
import { workerScheduler } from '../src/identity/scheduler.ts'
import { proposeResolution } from '../src/resolution/decide.ts'
import { settlementJob } from '../src/resolution/settle.ts'
import { runJob } from '../src/sync/run-job.ts'
import { LedgerExchange } from './ledger-exchange.ts'
import { CREATOR, discoveryEvent, openEvents, testPlatform } from './test-platform.ts'

const { platform } = await testPlatform()
const rows = async <T>(sql: string, values: unknown[] = []): Promise<T[]> => platform.em().execute(sql, values)
await openEvents(platform, [discoveryEvent('rain', 'Will it rain?', ['weather'], [{ slug: 'rain' }])])
const [market] = await rows<{ condition_id: string }>('select condition_id from market')
const id = market!.condition_id

/** New members, by address. */
async function members(count: number): Promise<string[]> {
  const addresses = Array.from({ length: count }, (_, i) => `0xce${i.toString(16).padStart(38, '0')}`)
  await rows(
    `insert into users (address, affiliate_code) select value, 'member' || ordinality from jsonb_array_elements_text(?::jsonb) with ordinality`,
    [JSON.stringify(addresses)],
  )
  return addresses
}

test('every holder is notified, however many there are', async () => {
  const [other, ...crowd] = await members(1_002)
  const exchange = new LedgerExchange(CREATOR)
  exchange.conditions.set(id, { id, endTime: 0, mode: 'open', weight: null, orders: 0, locked: 0, held: new Map(), shown: {} })
  for (const address of crowd) exchange.trade(id, address, other!, 4000, 100)
  const [user] = await rows<{ id: string }>('select id from users where address = ?', [other])
  const operator = { kind: 'operator', userId: user!.id, address: other!, named: [] } as const
  const proposal = { conditionId: id, weight: 0, disputeSeconds: 0, note: 'seen' }
  await platform.em().transactional((em) => proposeResolution(em, operator, proposal, platform.now()))
  const job = settlementJob(async () => exchange.client, CREATOR)
  expect(await runJob(platform, workerScheduler('test'), job)).toMatchObject({ success: true, told: crowd.length + 1, paid: 1, errors: 0 })
  expect(await rows(`select count(*)::int as count from notification where title = 'Market resolved'`)).toEqual([{ count: crowd.length }])
  expect(await rows(`select description from notification where title = 'You are paid'`)).toEqual([
    { description: 'Will rain happen?: No. 1001 No pay $1,001.00.' },
  ])
})
