import { BadAnswerError } from '@augury/client/answer'
import { eventually } from '@augury/testing/eventually'
import { beforeEach, expect, test } from 'vitest'
import { databaseTime } from '../src/sync/market-states.ts'
import { resolutionJob } from '../src/sync/resolution.ts'
import { listedMarket } from './listed-market.ts'
import { FRIEND, listedWorld } from './listed-world.ts'
import { CREATOR } from './test-platform.ts'

const { platform, exchange, run, read, events, resolution, showCreators, statuses, market, reset } = await listedWorld()
beforeEach(reset)

test.each([
  ['won', 1, 10_000],
  ['lost', 0, 0],
  ['is a tie', 0.5, 5_000],
  ['is void', 0.3333, 3_333],
])('a market that %s is resolved here too, and its event with the last one', async (_, price, weight) => {
  exchange.listed = [listedMarket('a', { eventSlug: 'pair' }), listedMarket('b', { eventSlug: 'pair' })]
  await events()
  const resolved = {
    mode: 'resolved',
    resolution_price: price,
    closed: true,
    accepting_orders: false,
    resolution_status: 'confirmed',
  } as const
  exchange.listed[0] = { ...exchange.listed[0]!, ...resolved }
  await events()
  expect(await market('a')).toMatchObject({ is_resolved: true, is_active: false, weight, resolution_status: 'confirmed' })
  expect(await statuses()).toMatchObject([{ status: 'active' }])
  exchange.listed[1] = { ...exchange.listed[1]!, ...resolved }
  await events()
  expect(await statuses()).toMatchObject([{ status: 'resolved' }])
})

test('a result from here stays; a different one on the exchange is reported and not changed', async () => {
  exchange.listed = [listedMarket('a')]
  await events()
  await read(`update market set is_resolved = true, is_active = false, weight = 10000, resolution_status = 'confirmed', updated_at = now()`)
  expect(await events()).toMatchObject({ updated: 0, errors: 0 }) // the exchange follows later
  expect(await market('a')).toMatchObject({ is_resolved: true, is_active: false })
  exchange.listed[0] = { ...exchange.listed[0]!, mode: 'resolved', resolution_price: 0 }
  expect(await events()).toMatchObject({
    errors: 1,
    errorDetails: [{ context: exchange.listed[0].condition_id, error: 'pays 10000 here and 0 on the exchange' }],
  })
  expect(await market('a')).toMatchObject({ weight: 10_000 })
})

test('a change written after a request never has an earlier time', async () => {
  for (let round = 0; round < 100; round++) {
    const askedAt = await databaseTime(platform.em())
    expect(await read('select clock_timestamp()::timestamptz(3) >= ?::timestamptz as later', [askedAt])).toEqual([{ later: true }])
  }
})

test('a market that changes here during a request keeps its values until the next run', async () => {
  exchange.listed = [listedMarket('a')]
  await events()
  exchange.meanwhile = async () => {
    exchange.meanwhile = async () => {}
    await read(`update market set is_active = false, updated_at = clock_timestamp() where slug = 'a'`)
  }
  expect(await events()).toMatchObject({ updated: 0 })
  expect(await market('a')).toMatchObject({ is_active: false })
  expect(await events()).toMatchObject({ updated: 1 })
  expect(await market('a')).toMatchObject({ is_active: true })
})

test('a market that changes here after its part of a request was answered keeps its values', async () => {
  exchange.listed = [listedMarket('a'), listedMarket('b')].sort((one, other) => (one.condition_id < other.condition_id ? -1 : 1))
  await events()
  await read(`update market set is_active = false`) // processed again by either job
  const [first, second] = exchange.listed.map(({ condition_id }) => condition_id)
  let answers = 0
  const halved = async () => ({
    async getMarket(question: { params: { condition_id: string } }) {
      const { condition_id } = question.params
      if (condition_id === second) throw new BadAnswerError('not a market')
      const answer = await exchange.client.getMarket(question)
      if (++answers === 2) await read('update market set updated_at = clock_timestamp() where condition_id = ?', [first])
      return answer
    },
  })
  expect(await run(resolutionJob(halved, CREATOR))).toMatchObject({ updated: 0, errors: 1 })
  expect(answers).toBe(2)
  expect(await read('select is_active from market where condition_id = ?', [first])).toEqual([{ is_active: false }])
})

test('a step waits for a result that is being written, and keeps it', async () => {
  exchange.listed = [listedMarket('a')]
  await events()
  const [written, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const confirming = platform.em().transactional(async (em) => {
    await em.execute(`update market set is_resolved = true, is_active = false, weight = 10000, resolution_status = 'confirmed'`)
    written.resolve()
    await go.promise
  })
  await written.promise
  const run = events()
  await eventually(async () => {
    const waiting = await read(`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`)
    expect(waiting).toHaveLength(1)
  })
  go.resolve()
  await confirming
  expect(await run).toMatchObject({ success: true, errors: 0 })
  expect(await market('a')).toMatchObject({ is_resolved: true, is_active: false, weight: 10_000 })
})

test("flags of others' markets are adopted, those of our own are decided here", async () => {
  await showCreators([CREATOR, FRIEND.toLowerCase()])
  const flagged = { resolution_flagged: true, resolution_paused: true }
  exchange.listed = [listedMarket('ours', flagged), listedMarket('friend', { ...flagged, creator: FRIEND })]
  await events()
  expect(await market('ours')).toMatchObject({ resolution_flagged: false, resolution_paused: false })
  expect(await market('friend')).toMatchObject({ resolution_flagged: true, resolution_paused: true })
})

test('only ended markets are read for results; those unknown to the exchange are reported', async () => {
  exchange.listed = [
    listedMarket('open'),
    listedMarket('ended', { end_date_iso: '2020-01-01T00:00:00.000Z' }),
    listedMarket('closed', { mode: 'closed' }),
  ]
  await events()
  exchange.asked = []
  expect(await resolution()).toMatchObject({ scanned: 2, updated: 0, errors: 0 })
  expect(exchange.asked.sort()).toEqual([exchange.listed[1]!.condition_id, exchange.listed[2]!.condition_id].sort())

  exchange.listed[1] = { ...exchange.listed[1]!, mode: 'resolved', resolution_price: 1 }
  const [lost] = exchange.listed.splice(2, 1)
  expect(await resolution()).toMatchObject({
    updated: 1,
    errors: 1,
    errorDetails: [{ context: lost!.condition_id, error: 'the exchange does not know it' }],
  })
  expect(await market('ended')).toMatchObject({ is_resolved: true, weight: 10_000 })
  expect(await statuses()).toMatchObject([{ status: 'archived' }, { status: 'resolved' }, { status: 'active' }])
})
