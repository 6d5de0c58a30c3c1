import { memoryBudgets } from '@augury/platform/budgets/budgets'
import { webBudgets } from '@augury/wire/platform/budgets'
import { expect, test } from 'vitest'
import { countPage } from '../src/lib/server/page-budget.ts'

const site = (mode: 'sandbox' | 'production') => ({ budgets: memoryBudgets(), settings: { mode } })
const { limit } = webBudgets.pages

/** How many of some pages are made. */
async function made(at: ReturnType<typeof site>, address: string, pages: number, route: string | null = '/'): Promise<number> {
  let count = 0
  for (let n = 0; n < pages; n++) {
    const refusal = await countPage(at, { route, address }).catch((error) => error)
    if (refusal === undefined) count++
    else expect(refusal).toMatchObject({ code: 'rate_limited', headers: { 'Retry-After': expect.stringMatching(/^[1-9]\d?$/) } })
  }
  return count
}

test.each(['sandbox', 'production'] as const)('in a %s an address has so many pages a minute, and another as many', async (mode) => {
  const at = site(mode)
  for (const address of ['192.0.2.1', '2001:db8:0:1/64']) expect(await made(at, address, limit + 5)).toBe(limit)
  expect(await made(at, '192.0.2.1', 1, null)).toBe(0)
})

test('uploaded files cost nothing, as a page shows many of them', async () => {
  expect(await made(site('production'), '192.0.2.1', limit + 5, '/uploads/[name]')).toBe(limit + 5)
})

test.each(['127.0.0.1', '127.8.8.8', '0:0:0:0/64'])('%s has no limit in a sandbox, and one in production', async (address) => {
  expect(await made(site('sandbox'), address, limit + 5)).toBe(limit + 5)
  expect(await made(site('production'), address, limit + 5)).toBe(limit)
})
