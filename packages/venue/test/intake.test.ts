import { setTimeout as wait } from 'node:timers/promises'
import type { Command } from '@augury/engine/command'
import { collectGarbage } from '@augury/testing/collect-garbage'
import { expect, test } from 'vitest'
import { Intake, ROW_BYTES, ROW_COMMANDS } from '../src/record/log/intake.ts'
import { address, deposit, id, place } from './commands.ts'

const order: Command = place('a', 'ann', 'BUY', 0, 50, 1)
const cancel: Command = { type: 'cancel', account: address('ann'), orderId: id('a') }
const operator: Command = deposit('ann', 1)

/** Returns an intake with so many waiting cancels, whose results are ignored. */
function crowded(waiting: number): Intake {
  const intake = new Intake()
  for (let n = 0; n < waiting; n++) intake.add(cancel, 0).catch(() => {})
  return intake
}

test.each([
  [8191, [true, true, true]],
  [8192, [false, true, true]],
  [16_384, [false, false, true]],
  [32_768, [false, false, false]],
])('with %i waiting, room for orders, operators and cancels is %j', async (waiting, expected) => {
  const verdicts = [order, operator, cancel].map(async (command) => {
    const intake = crowded(waiting)
    const added = intake.add(command, 0)
    intake.clear() // rejects admitted requests with another code
    return (await added.catch(({ code }) => code)) !== 'overloaded'
  })
  expect(await Promise.all(verdicts)).toEqual(expected)
})

test.each<[string, Command, number]>([
  ['1 024 commands', cancel, ROW_COMMANDS],
  ['4 000 units of work', order, 1000],
  ['one that alone is too much work', { type: 'redeem_all', condition: id('rain'), limit: 100_000 }, 1],
])('a row takes %s', (_, command, expected) => {
  const intake = new Intake()
  for (let n = 0; n < 3000; n++) intake.add(command, 0).catch(() => {})
  expect(intake.take(0)).toHaveLength(expected)
  expect(intake.size).toBe(3000 - expected)
})

test('a row takes 256 KB', () => {
  const intake = new Intake()
  const conditions = Array.from({ length: 900 }, (_, n) => id(`condition ${n}`))
  for (let n = 0; n < 20; n++) {
    intake
      .add({ type: 'convert', account: address('ann'), event: id('event'), conditions, lots: 1, request: id(`${n}`) }, 0)
      .catch(() => {})
  }
  const taken = intake.take(0)
  const bytes = taken.reduce((sum, one) => sum + one.bytes.length, 0)
  expect(bytes).toBeLessThanOrEqual(ROW_BYTES)
  expect(bytes + taken[0]!.bytes.length).toBeGreaterThan(ROW_BYTES)
})

test('a request that waits longer than eight seconds is refused, oldest first, and is in no row', async () => {
  const intake = new Intake()
  const early = intake.add(order, 0)
  const late = intake.add(cancel, 5000)
  late.catch(() => {})
  intake.rejectOverdue(8000)
  expect(intake.size).toBe(2)
  intake.rejectOverdue(8001)
  await expect(early).rejects.toMatchObject({ code: 'service_unavailable', retryAfter: 1 })
  expect(intake.take(0)).toHaveLength(1)
})

test('little is kept of requests that gave up, however long none is taken', async () => {
  const intake = new Intake()
  const added = () => {
    const result = intake.add(cancel, 0)
    result.catch(() => {})
    return new WeakRef(result)
  }
  const results = Array.from({ length: 1000 }, added)
  intake.rejectOverdue(60_000)
  await wait(0)
  collectGarbage()
  expect(results.filter((result) => result.deref() !== undefined).length).toBeLessThan(10)
})
