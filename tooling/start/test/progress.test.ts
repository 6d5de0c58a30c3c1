import { expect, test, vi } from 'vitest'
import { step } from '../progress.mjs'

test.each([
  ['is done', async () => 'all', () => true, /^ {2}✓ work +all +\d+\.\d s$/],
  ['found something wrong', async () => '1 failed', () => false, /^ {2}✗ work +1 failed +\d+\.\d s$/],
  ['cannot be done', () => Promise.reject(new Error('no')), () => true, /^ {2}✗ work +\d+\.\d s$/],
])('work that %s has its sign', async (_, work, wentWell, line) => {
  const log = vi.spyOn(console, 'log').mockReturnValue()
  await step('work', work, wentWell).catch(() => {})
  expect(log.mock.calls).toEqual([[expect.stringMatching(line)]])
  log.mockRestore()
})
