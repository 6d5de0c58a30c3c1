import { expect, test } from 'vitest'
import { workerScheduler } from '../src/authorization/scheduler.ts'
import { runJob } from '../src/jobs/run-job.ts'
import { proposeResolution } from '../src/resolution/decide.ts'
import { settlementJob } from '../src/resolution/settle.ts'
import { LedgerExchange } from './ledger-exchange.ts'
import { CREATOR, discoveryEvent, openEvents, testPlatform } from './test-platform.ts'

const { platform, clock } = await testPlatform()
const rows = async <T>(sql: string, values: unknown[] = []): Promise<T[]> => platform.em().execute(sql, values)
const slugs = ['rain', 'snow', 'hail']
await openEvents(
  platform,
  slugs.map((slug) => discoveryEvent(slug, `Will there be ${slug}?`, ['weather'], [{ slug }])),
)

/** Members by address: one who sells to all others. */
const [seller, ...crowd] = Array.from({ length: 1_002 }, (_, i) => `0xce${i.toString(16).padStart(38, '0')}`) as [string, ...string[]]
await rows(
  `insert into users (address, affiliate_code) select value, 'member' || ordinality from jsonb_array_elements_text(?::jsonb) with ordinality`,
  [JSON.stringify([seller, ...crowd])],
)

/** A market of which the whole crowd holds Yes, one share each and more the earlier they come, and which resolves to No. */
async function heldByAll(slug: string) {
  const [market] = await rows<{ id: string }>('select condition_id as id from market where slug = ?', [slug])
  const { id } = market!
  const exchange = new LedgerExchange(CREATOR)
  exchange.open(id)
  for (const [i, address] of crowd.entries()) exchange.trade(id, address, seller, 4000, 100 + (crowd.length - i) * 100)
  const [user] = await rows<{ id: string }>('select id from users where address = ?', [seller])
  const operator = { kind: 'operator', userId: user!.id, address: seller, named: [] } as const
  const proposal = { conditionId: id, weight: 0, disputeSeconds: 0, note: 'seen' }
  await platform.em().transactional((em) => proposeResolution(em, operator, proposal, platform.now()))
  return { id, exchange }
}
const settle = (exchange: LedgerExchange) =>
  runJob(
    platform,
    workerScheduler('test'),
    settlementJob(async () => exchange.client, CREATOR),
  )
const told = (id: string) =>
  rows<{ title: string; count: number }>(
    'select title, count(*)::int as count from notification where source = ? group by title order by title',
    [`resolution:${id}`],
  )
const everybody = [
  { title: 'Market resolved', count: crowd.length },
  { title: 'You are paid', count: 1 },
]

test('every holder is notified, however many there are', async () => {
  const { id, exchange } = await heldByAll('rain')
  expect(await settle(exchange)).toMatchObject({ success: true, told: crowd.length + 1, paid: 1, errors: 0 })
  expect(await told(id)).toEqual(everybody)
  expect(await rows(`select description from notification where title = 'You are paid'`)).toEqual([
    { description: 'Will rain happen?: No. 502502 No pay $502,502.00.' },
  ])
})

test('holders who claim by themselves while all are listed push no other holder out of the list', async () => {
  const { id, exchange } = await heldByAll('snow')
  let pages = 0
  exchange.before = (call) => {
    if (call !== 'listHolders' || ++pages !== 2) return
    for (const address of crowd.slice(100, 400)) exchange.conditions.get(id)!.held.delete(address)
  }
  expect(await settle(exchange)).toMatchObject({ success: true, paid: 1, errors: 0 })
  expect(await told(id)).toEqual(everybody)
})

test('when time runs out no holder is paid before all are notified, and none is notified twice', async () => {
  const { id, exchange } = await heldByAll('hail')
  exchange.before = (call) => {
    if (call === 'listHolders') clock.advance(300_000)
  }
  const counts: unknown[] = []
  for (let run = 0; run < 3; run++) {
    const result = await settle(exchange)
    expect(result).toMatchObject({ success: true, errors: 0 })
    counts.push('told' in result && result.told)
    if (run < 2) expect(exchange.conditions.get(id)!.held.size).toBe(crowd.length + 1)
  }
  expect(counts).toEqual([500, 500, 2])
  exchange.before = () => {}
  expect(await settle(exchange)).toMatchObject({ paid: 1, errors: 0 })
  expect(await told(id)).toEqual(everybody)
  expect(exchange.total()).toBe(0)
})
