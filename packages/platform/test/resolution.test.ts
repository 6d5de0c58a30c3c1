import { beforeEach, describe, expect, test } from 'vitest'
import { workerScheduler } from '../src/authorization/scheduler.ts'
import { marketMetadata } from '../src/events/market-metadata.ts'
import { type Job, runJob } from '../src/jobs/run-job.ts'
import {
  cancelResolution,
  confirmResolution,
  disputeResolution,
  flagResolution,
  pauseResolution,
  proposeResolution,
} from '../src/resolution/decide.ts'
import { type Resolver, resolutionHistory } from '../src/resolution/history.ts'
import { settlementJob } from '../src/resolution/settle.ts'
import { adoptStates, databaseTime } from '../src/sync/market-states.ts'
import { LedgerExchange } from './ledger-exchange.ts'
import { CREATOR, discoveryEvent, openEvents, testPlatform } from './test-platform.ts'

const { platform, clock } = await testPlatform()
const rows = async <T>(sql: string, values: unknown[] = []): Promise<T[]> => platform.em().execute(sql, values)
await openEvents(platform, [
  discoveryEvent('rain', 'Will it rain?', ['weather'], [{ slug: 'rain' }]),
  discoveryEvent('cup', 'Who wins the cup?', ['sports'], [{ slug: 'ann' }, { slug: 'bob' }, { slug: 'eve' }], { negRisk: true }),
])
const ids = Object.fromEntries(
  (await rows<{ slug: string; condition_id: string }>('select slug, condition_id from market')).map((row) => [row.slug, row.condition_id]),
)
const [user] = await rows<{ id: string }>(
  `insert into users (address, affiliate_code) values ('0x${'d'.repeat(40)}', 'operator') returning id`,
)
const operator = { kind: 'operator', userId: user!.id, address: `0x${'D'.repeat(40)}`, named: [] } as const satisfies Resolver
const clockwork: Resolver = { kind: 'clock' }

let exchange: LedgerExchange
const settle = () =>
  runJob(
    platform,
    workerScheduler('test'),
    settlementJob(async () => exchange.client, CREATOR),
  )
const inStep = (act: (em: ReturnType<typeof platform.em>) => Promise<void>) => platform.em().transactional(act)
const propose = (slug: string, weight: number, disputeSeconds = 60) =>
  inStep((em) => proposeResolution(em, operator, { conditionId: ids[slug]!, weight, disputeSeconds, note: 'seen' }, platform.now()))
const act = (name: 'dispute' | 'cancel' | 'confirm', slug: string, by: Resolver = operator) => {
  const step = { dispute: disputeResolution, cancel: cancelResolution, confirm: confirmResolution }[name]
  return inStep((em) => step(em, by, { conditionId: ids[slug]! }, platform.now()))
}
const mark = (what: 'flagged' | 'paused', slug: string, on: boolean) =>
  inStep((em) =>
    what === 'flagged'
      ? flagResolution(em, operator, { conditionId: ids[slug]!, flagged: on }, platform.now())
      : pauseResolution(em, operator, { conditionId: ids[slug]!, paused: on }, platform.now()),
  )
const state = async (slug: string) =>
  (await rows('select resolution_status as status, weight, proposed_weight, is_active from market where slug = ?', [slug]))[0]
const refusal = (code: string) => expect.objectContaining({ name: 'ServiceError', code })
const conflict = refusal('resolution_conflict')

beforeEach(async () => {
  await rows('truncate resolution_step, settlement, notification')
  await rows(`update market set resolution_status = 'pending', weight = null, proposed_weight = null, resolution_deadline_at = null,
    is_resolved = false, is_active = true, resolution_flagged = false, resolution_paused = false`)
  await rows(`update event set status = 'active', resolved_at = null, active_markets_count = total_markets_count`)
  exchange = new LedgerExchange(CREATOR)
  for (const [slug, id] of Object.entries(ids)) exchange.open(id, 0, { slug })
})

describe('a step is possible', () => {
  type Step = 'propose' | 'dispute' | 'cancel' | 'confirm'
  const STEPS: readonly Step[] = ['propose', 'dispute', 'cancel', 'confirm']
  /** For each status: the steps that lead to it, and those possible from there. */
  const FROM: [status: string, way: Step[], onward: Partial<Record<Step, string>>][] = [
    ['pending', [], { propose: 'proposed' }],
    ['proposed', ['propose'], { dispute: 'disputed', cancel: 'pending', confirm: 'confirmed' }],
    ['disputed', ['propose', 'dispute'], { propose: 'proposed', cancel: 'pending' }],
    ['proposed again', ['propose', 'dispute', 'propose'], { dispute: 'disputed', cancel: 'pending', confirm: 'confirmed' }],
    ['taken back', ['propose', 'cancel'], { propose: 'proposed' }],
    ['confirmed', ['propose', 'confirm'], {}],
  ]
  const take = (step: Step) => (step === 'propose' ? propose('rain', 10_000, 0) : act(step, 'rain'))
  const cases = FROM.flatMap(([status, way, onward]) => STEPS.map((step) => [status, step, onward[step] ?? 'refused', way] as const))

  test.each(cases)('%s, %s: %s', async (_status, step, outcome, way) => {
    for (const before of way) await take(before)
    const taken = take(step)
    if (outcome === 'refused') await expect(taken).rejects.toEqual(conflict)
    else {
      await taken
      expect(await state('rain')).toMatchObject({ status: outcome })
    }
  })
})

test.each<[what: string, act: () => Promise<void>, refused: unknown]>([
  [
    'an unknown market',
    () => inStep((em) => proposeResolution(em, operator, { conditionId: '0xdead', weight: 0 }, platform.now())),
    refusal('market_not_found'),
  ],
  ['a weight above one', () => propose('rain', 10_001), refusal('invalid_weight')],
  ['half a step of weight', () => propose('rain', 0.5), refusal('invalid_weight')],
  ['a negative weight', () => propose('rain', -1), refusal('invalid_weight')],
])('%s is refused', async (_, step, refused) => {
  await expect(step()).rejects.toEqual(refused)
  expect(await rows('select 1 from resolution_step')).toEqual([])
})

test('no result is confirmed before the deadline or while paused, and only an operator if flagged', async () => {
  await propose('rain', 10_000, 60)
  await expect(act('confirm', 'rain')).rejects.toEqual(conflict)
  clock.advance(60_000)
  await mark('paused', 'rain', true)
  await expect(act('confirm', 'rain')).rejects.toMatchObject({
    message: 'The resolution of this market does not allow that: it is paused.',
  })
  await mark('paused', 'rain', false)
  await mark('flagged', 'rain', true)
  await expect(act('confirm', 'rain', clockwork)).rejects.toEqual(conflict)
  await act('confirm', 'rain')
  expect(await state('rain')).toEqual({ status: 'confirmed', weight: 10_000, proposed_weight: null, is_active: false })
})

test('an undisputed proposal pays after its deadline, and the exchange follows', async () => {
  exchange.trade(ids.rain!, operator.address, '0xother', 4000, 1000)
  await propose('rain', 10_000, 60)
  await settle()
  expect(exchange.conditions.get(ids.rain!)).toMatchObject({
    mode: 'open',
    shown: { resolution_status: 'proposed', resolution_deadline_at: new Date(clock.now() + 60_000).toISOString() },
  })
  clock.advance(60_000)
  expect(await settle()).toMatchObject({ success: true, confirmed: 1, closed: 1, told: 1, paid: 1, errors: 0 })
  expect(exchange.conditions.get(ids.rain!)).toMatchObject({
    mode: 'resolved',
    weight: 10_000,
    locked: 0,
    shown: { resolution_status: 'confirmed' },
  })
  expect(exchange.total()).toBe(0)
  expect(await rows('select status from event where slug = ?', ['rain'])).toEqual([{ status: 'resolved' }])
  expect(await rows('select title, description, link_type, link_target from notification')).toEqual([
    { title: 'You are paid', description: 'Will rain happen?: Yes. 10 Yes pay $10.00.', link_type: 'event', link_target: 'rain' },
  ])
  expect(await settle()).toMatchObject({ success: true, errors: 0 })
  expect(exchange.calls.filter((call) => call === 'redeemCondition')).toHaveLength(1)
})

test.each(['flagged', 'paused'] as const)('a %s proposal waits for an operator', async (what) => {
  await propose('rain', 0, 60)
  await mark(what, 'rain', true)
  clock.advance(120_000)
  await settle()
  expect(await state('rain')).toMatchObject({ status: 'proposed' })
})

test('a manual resolution on the exchange is adopted, notified and paid', async () => {
  exchange.trade(ids.rain!, operator.address, '0xother', 4000, 1000)
  Object.assign(exchange.conditions.get(ids.rain!)!, { mode: 'resolved', weight: 10_000 })
  const terms = {
    grid: 100,
    min_lots: 500,
    fee_bps: 0,
    end_time: '2027-06-30T00:00:00.000Z',
    resolution_flagged: false,
    resolution_paused: false,
  }
  const state = { condition_id: ids.rain!, is_open: false, weight: 10_000, ...terms }
  const adopt: Job = {
    name: 'adopt',
    work: (_, run) =>
      run.step(null, async (em) => void (await adoptStates(em, run, CREATOR, [{ ...state, asked_at: await databaseTime(em) }]))),
  }
  expect(await runJob(platform, workerScheduler('test'), adopt)).toMatchObject({ success: true })
  expect(await settle()).toMatchObject({ closed: 1, told: 1, paid: 1, errors: 0 })
  expect(exchange.conditions.get(ids.rain!)!.locked).toBe(0)
})

test('a market split in half pays both sides half', async () => {
  exchange.trade(ids.rain!, '0xup', '0xdown', 4000, 1000)
  await propose('rain', 5000, 0)
  await settle()
  expect([exchange.cash.get('0xup'), exchange.cash.get('0xdown')]).toEqual([1_000_000, -1_000_000])
})

test('a market ends at its time, even without a result', async () => {
  await rows(`update market set end_time = ? where slug = 'rain'`, [new Date(clock.now())])
  expect(await settle()).toMatchObject({ closed: 1 })
  expect(exchange.conditions.get(ids.rain!)!.mode).toBe('closed')
  expect(await state('rain')).toMatchObject({ status: 'pending', is_active: false })
  expect(await settle()).toMatchObject({ errors: 0 })
  await rows(`update market set end_time = '2027-06-30T00:00:00Z' where slug = 'rain'`)
})

describe('an event of which one market wins', () => {
  const win = (slug: string) => propose(slug, 10_000, 0).then(() => act('confirm', slug))
  const lose = (slug: string) => propose(slug, 0, 0).then(() => act('confirm', slug))

  test('has one winner', async () => {
    await win('ann')
    await expect(propose('bob', 10_000)).rejects.toEqual(refusal('invalid_weight'))
    await lose('bob')
    await lose('eve')
    expect(await rows(`select status from event where slug = 'cup'`)).toEqual([{ status: 'resolved' }])
  })

  test('must have a winner', async () => {
    await lose('ann')
    await lose('bob')
    await expect(propose('eve', 0)).rejects.toEqual(refusal('invalid_weight'))
  })

  test('has no second winner proposed, unless the first is disputed', async () => {
    await propose('ann', 10_000)
    await expect(propose('bob', 1)).rejects.toEqual(refusal('invalid_weight'))
    await act('dispute', 'ann')
    await propose('bob', 10_000)
    await expect(propose('ann', 10_000)).rejects.toEqual(refusal('invalid_weight'))
    await propose('ann', 0)
  })

  test('may be a tie', async () => {
    await lose('ann')
    for (const slug of ['bob', 'eve']) await propose(slug, 5000, 0).then(() => act('confirm', slug))
    expect(await rows(`select status from event where slug = 'cup'`)).toEqual([{ status: 'resolved' }])
  })

  test('waits until all its markets are registered', async () => {
    await rows(`update market set registered_at = null, is_active = false where slug = 'eve'`)
    await expect(win('ann')).rejects.toEqual(refusal('event_incomplete'))
    await rows(`update market set registered_at = now(), is_active = true where slug = 'eve'`)
  })
})

test('the public deadline is that of the proposal, or a week after the end without one', async () => {
  const read = async () => (await marketMetadata(platform, { params: { slug: 'rain' }, query: { conditionId: ids.rain } })).data!.condition
  expect(await read()).toMatchObject({ resolution_status: 'pending', resolution_deadline_at: '2027-07-07T00:00:00.000Z' })
  await propose('rain', 10_000, 60)
  expect(await read()).toMatchObject({
    resolution_status: 'proposed',
    resolution_deadline_at: new Date(clock.now() + 60_000).toISOString(),
  })
})

test('a market refused by the exchange does not affect others, and is retried', async () => {
  exchange.conditions.delete(ids.ann!)
  await propose('ann', 10_000, 0)
  await propose('rain', 10_000, 0)
  expect(await settle()).toMatchObject({
    success: true,
    paid: 1,
    errors: 2,
    errorDetails: [{ context: ids.ann }, { context: `${ids.ann} as shown` }],
  })
  exchange.open(ids.ann!)
  clock.advance(3_600_000)
  expect(await settle()).toMatchObject({ paid: 1, errors: 0 })
})

test('an unavailable exchange ends the run, and everything is done later', async () => {
  await propose('rain', 10_000, 0)
  exchange.before = () => {
    throw new Error('no answer')
  }
  expect(await settle()).toEqual({ success: false, error: 'no answer' })
  exchange.before = () => {}
  clock.advance(3_600_000)
  expect(await settle()).toMatchObject({ paid: 1 })
})

test('the history has every step with its time and its actor', async () => {
  await propose('rain', 10_000, 60)
  clock.advance(1000)
  await act('dispute', 'rain')
  clock.advance(1000)
  await propose('rain', 0, 0)
  clock.advance(1000)
  await settle()
  const [history] = await resolutionHistory(platform, { slug: 'rain' })
  expect(history).toMatchObject({ condition_id: ids.rain, status: 'confirmed', flagged: false, paused: false })
  expect(history!.steps.map(({ step, actor_kind, actor, yes_pays, note }) => [step, actor_kind, actor, yes_pays, note])).toEqual([
    ['proposed', 'operator', `0x${'d'.repeat(40)}`, 1, 'seen'],
    ['disputed', 'operator', `0x${'d'.repeat(40)}`, 1, ''],
    ['proposed', 'operator', `0x${'d'.repeat(40)}`, 0, 'seen'],
    ['confirmed', 'clock', '', 0, ''],
    ['closed', 'clock', '', null, ''],
    ['settled', 'clock', '', 0, ''],
    ['paid', 'clock', '', null, ''],
  ])
  expect(new Date(history!.steps[1]!.at).getTime() - new Date(history!.steps[0]!.at).getTime()).toBe(1000)
  await expect(resolutionHistory(platform, { slug: 'nothing' })).rejects.toEqual(refusal('event_not_found'))
})
