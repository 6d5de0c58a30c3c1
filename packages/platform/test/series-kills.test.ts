import { expect, test } from 'vitest'
import type { Job } from '../src/jobs/run-job.ts'
import { MEMBERS, STRANGER, seriesWorld } from './series-world.ts'

const { clock, exchange, jobs, rows, run, tick, killAt } = await seriesWorld([
  { slug: 'btc-usd-5m', interval: '5m', settlementSeconds: 0, disputeSeconds: 0, ahead: 1 },
])
const MINUTES_5 = 300_000

interface Window {
  condition_id: string
  weight: number
}

/** The market of the current window. */
const running = async (): Promise<Window> =>
  (await rows<Window>('select condition_id, weight from market where end_time > ? order by end_time limit 1', [new Date(clock.now())]))[0]!

/** The jobs that process a window at its end, in order. */
const [marks, series, settlement] = jobs as [Job, Job, Job]
const LIFE = [
  ['its prices are taken in', marks],
  ['it is closed', settlement],
  ['the next is opened, and it is proposed and confirmed', series],
  ['it is resolved and paid', settlement],
] as const

// Each window is processed with one kill, at the next statement or call of the job, until the job completes before it.
test.each(LIFE.map(([what], index) => [what, index] as const))(
  'a worker killed anywhere while %s is taken up again, and nothing happens twice',
  { timeout: 300_000 },
  async (_, phase) => {
    await tick()
    let place = 0
    for (let killed = true; killed; ) {
      place++
      const { condition_id: id } = await running()
      exchange.trade(id, MEMBERS[0], STRANGER, 6000, 300)
      exchange.trade(id, STRANGER, MEMBERS[1], 4000, 700)
      exchange.conditions.get(id)!.orders = 3
      exchange.lag = 2
      clock.advance(MINUTES_5)
      for (const [, job] of LIFE.slice(0, phase)) await run(job)
      killed = await killAt(LIFE[phase]![1], place)
      await run(marks)
      const condition = exchange.conditions.get(id)!
      for (let round = 0; round < 6 && (condition.held.size > 0 || condition.shown.resolution_status !== 'confirmed'); round++) {
        await run(settlement)
        await run(series)
      }

      const [{ weight }] = (await rows<Window>('select weight from market where condition_id = ?', [id])) as [Window]
      expect([0, 10_000]).toContain(weight)
      expect(condition).toMatchObject({ mode: 'resolved', weight, locked: 0, shown: { resolution_status: 'confirmed' } })
      expect(condition.held.size).toBe(0)
      const steps = await rows<{ step: string }>('select step from resolution_step where market_condition_id = ? order by at, id', [id])
      expect(steps.map(({ step }) => step)).toEqual(['closed', 'proposed', 'confirmed', 'settled', 'paid'])
      expect(await rows('select count(*)::int as told from notification where source = ?', [`resolution:${id}`])).toEqual([{ told: 2 }])
    }
    expect(place).toBeGreaterThan(5)
    expect(exchange.total()).toBe(0)
    expect(await rows('select end_time from market group by end_time having count(*) > 1')).toEqual([])
    expect(await rows('select distinct status from event where end_date <= ?', [new Date(clock.now())])).toEqual([{ status: 'resolved' }])
  },
)
