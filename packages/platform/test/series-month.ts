import { prng } from '@augury/testing/prng'
import { ONE } from '@augury/units/price'
import { expect } from 'vitest'
import { OutboundError } from '../src/outbound/fetch-outside.ts'
import type { Mark } from '../src/prices/choose-prices.ts'
import { cancelResolution, confirmResolution, flagResolution, proposeResolution } from '../src/resolution/decide.ts'
import { MEMBERS, STRANGER, seriesWorld } from './series-world.ts'

const HOUR = 3_600_000
const PAIRS: readonly (readonly [buyer: string, seller: string])[] = [
  [MEMBERS[0], STRANGER],
  [STRANGER, MEMBERS[1]],
  [MEMBERS[1], MEMBERS[0]],
]

/**
 * Simulates days of series from a seed, with kills, two concurrent workers, an unreliable source and a jumping clock. Afterwards the source
 * recovers, and ledger, payouts, history and statuses must agree. Resolves with the number of windows paid.
 */
export async function seriesMonth(days: number, seed: number): Promise<number> {
  const world = await seriesWorld([
    { slug: 'btc-usd-4h', interval: '4h', settlementSeconds: 600, disputeSeconds: 900, ahead: 2 },
    { slug: 'btc-usd-1d', interval: '1d', settlementSeconds: 0, disputeSeconds: 3600, ahead: 1 },
  ])
  const { platform, clock, exchange, oracle, jobs, rows, run, tick, killAt } = world
  const random = prng(seed)

  interface Market {
    condition_id: string
    interval: '4h' | '1d'
    start_date: string
    end_time: string
    is_resolved: boolean
    weight: number | null
    resolution_flagged: boolean
    resolution_status: string
    paid_at: string | null
  }

  const markets = () =>
    rows<Market>(
      `select condition_id, series_recurrence as interval, start_date, end_time, is_resolved, weight, resolution_flagged, resolution_status, paid_at
     from market join event on event.id = event_id left join settlement on market_condition_id = condition_id order by end_time`,
    )

  /** The result of a market by the source's current prices at its ends, or null. */
  async function judged({ interval, start_date, end_time }: Market): Promise<number | null> {
    const price = async (of: string, at: string) =>
      (
        await rows<{ price: string }>(`select price from price_mark where source = 'oracle_a' and interval = ? and window_end = ?`, [
          of,
          at,
        ])
      )[0]?.price
    const opening = (await price(interval === '1d' ? '5m' : interval, start_date)) ?? (await price(interval, start_date))
    const closing = await price(interval, end_time)
    return opening === undefined || closing === undefined ? null : Number(closing) >= Number(opening) ? ONE : 0
  }

  /** Makes a source fail: unavailable, late, with gaps, or with corrections. */
  function badDay(marks: Mark[]): Mark[] {
    if (random.chance(0.08)) throw new OutboundError('timeout', 'the source did not answer')
    const kept = marks.filter(() => !random.chance(0.1))
    return kept.map((mark) => (random.chance(0.01) ? { ...mark, price: mark.price * (random.chance(0.5) ? 1.001 : 0.999) } : mark))
  }

  /** An operator decides flagged markets by the source's final prices. */
  async function operate(): Promise<void> {
    const by = {
      kind: 'operator',
      userId: (await rows<{ id: string }>('select id from users limit 1'))[0]!.id,
      address: MEMBERS[0],
      named: [],
    } as const
    for (const market of (await markets()).filter(({ resolution_flagged }) => resolution_flagged)) {
      const weight = await judged(market)
      if (weight === null) continue
      const decision = { conditionId: market.condition_id, note: 'looked at' }
      await platform.em().transactional(async (em) => {
        if (market.resolution_status === 'proposed') await cancelResolution(em, by, decision, platform.now())
        await flagResolution(em, by, { ...decision, flagged: false }, platform.now())
        await proposeResolution(em, by, { ...decision, weight, disputeSeconds: 0 }, platform.now())
        if (random.chance(0.5)) await confirmResolution(em, by, decision, platform.now())
      })
    }
  }

  function trade(ids: string[]): void {
    for (const id of ids) {
      const [buyer, seller] = random.pick(PAIRS)
      if (random.chance(0.5)) exchange.trade(id, buyer, seller, random.integer(1, 99) * 100, random.integer(1, 5000))
      if (random.chance(0.3)) exchange.conditions.get(id)!.orders = random.integer(0, 3)
    }
  }

  const begun = clock.now()
  oracle.settled = badDay
  while (clock.now() < begun + days * 24 * HOUR) {
    const jump = random.unit()
    clock.advance(jump < 0.02 ? -random.integer(1, HOUR) : jump < 0.03 ? random.integer(8, 30) * HOUR : random.integer(HOUR / 2, 3 * HOUR))
    exchange.lag = random.chance(0.1) ? 1 : 0
    trade([...exchange.conditions.keys()].slice(-8))
    if (random.chance(0.3)) await killAt(random.pick(jobs), random.integer(1, 12))
    if (random.chance(0.3)) await Promise.all([tick(), tick()])
    else await tick()
    if (random.chance(0.1)) await operate()
  }
  // Afterwards the source recovers, without further faults.
  oracle.settled = (marks) => marks
  for (let round = 0; round < 20; round++) {
    clock.advance(HOUR)
    await tick()
    await operate()
  }

  const ended = (await markets()).filter(({ end_time }) => new Date(end_time).getTime() < clock.now() - 4 * HOUR)
  expect(ended.length).toBeGreaterThan(days * 4)
  for (const market of ended) {
    const condition = exchange.conditions.get(market.condition_id)!
    expect(market, market.end_time).toMatchObject({ is_resolved: true, resolution_status: 'confirmed', paid_at: expect.anything() })
    expect(condition).toMatchObject({ mode: 'resolved', weight: market.weight, locked: 0, shown: { resolution_status: 'confirmed' } })
    expect(condition.held.size).toBe(0)
  }
  expect(exchange.total()).toBe(0)

  const once = `select market_condition_id, step from resolution_step where step in ('closed', 'confirmed', 'settled', 'paid') group by 1, 2`
  expect(await rows(`${once} having count(*) > 1`)).toEqual([])
  const steps = await rows<{ count: number }>(
    `select count(*)::int as count from (${once}) steps join market on condition_id = market_condition_id where is_resolved`,
  )
  expect(steps[0]!.count).toBe((await markets()).filter(({ is_resolved }) => is_resolved).length * 4)
  const confirmed = await rows<{ weight: number; said: number }>(
    `select market.weight, step.weight as said from market join resolution_step step on market_condition_id = condition_id and step = 'confirmed'`,
  )
  expect(confirmed.filter(({ weight, said }) => weight !== said)).toEqual([])
  expect(await rows('select 1 from notification group by user_id, source having count(*) > 1')).toEqual([])
  expect(
    await rows(
      `select slug from event where (status = 'resolved') <> (select bool_and(is_resolved) from market where event_id = event.id)`,
    ),
  ).toEqual([])
  expect(await rows('select 1 from event group by series_slug, start_date having count(*) > 1')).toEqual([])
  expect(await rows('select 1 from price_mark where source_timestamp > window_end')).toEqual([])

  // Corrections after the result do not change it; otherwise prices and results agree.
  const corrected = new Set(
    (await rows<{ window_end: string }>('select distinct window_end from price_mark_correction')).map(({ window_end }) =>
      new Date(window_end).getTime(),
    ),
  )
  let compared = 0
  for (const market of (await markets()).filter(({ is_resolved }) => is_resolved)) {
    if ([market.start_date, market.end_time].some((at) => corrected.has(new Date(at).getTime()))) continue
    expect(market.weight, market.end_time).toBe(await judged(market))
    compared++
  }
  expect(compared).toBeGreaterThan(days)
  await expect(run(jobs[2]!)).resolves.toMatchObject({ success: true, errors: 0 })
  return confirmed.length
}
