import { expect, test, vi } from 'vitest'
import { attempt } from '../src/attempt.ts'

const result = { figures: [{ name: 'ours', value: 1, unit: '/s' }], met: true }
const options = { rounds: 5, quick: true }

test('a row that breaks, or that never ends, says so in its place', async () => {
  const told = vi.spyOn(console, 'error').mockImplementation(() => {})
  const attempted = (measure: () => Promise<typeof result>, ms = 60_000) => attempt({ measure }, options, ms)
  expect(await attempted(async () => result)).toEqual({ result, broken: false, late: false })
  expect(await attempted(() => Promise.reject(new Error('no database\nat a place')))).toEqual({
    ...{ result: { why: 'failed: no database' }, broken: true, late: false },
  })
  expect(await attempted(() => new Promise(() => {}), 1)).toEqual({
    ...{ result: { why: 'failed: nothing was measured within 0 s' }, broken: true, late: true },
  })
  expect(told).toHaveBeenCalledOnce()
  told.mockRestore()
})
