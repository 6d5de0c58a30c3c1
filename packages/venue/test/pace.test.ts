import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Pace } from '../src/serve/streams/pace.ts'

/** Keeps the thread busy. */
function work(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}

test('what the work resolved counts as its work: its waiters then make messages of it', async () => {
  let runs = 0
  const pace = new Pace(() => {
    runs++
    void Promise.resolve().then(() => work(10))
  })
  pace.request()
  await setImmediate()
  pace.request()
  expect(runs).toBe(1)
  await expect.poll(() => runs).toBe(2)
})
