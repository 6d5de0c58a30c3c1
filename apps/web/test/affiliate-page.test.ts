import type { Site } from '@augury/platform/site/site'
import { expect, test, vi } from 'vitest'
import { load } from '../src/routes/settings/affiliate/+page.server.ts'

/** Shares of a member, the newest first. */
const SHARES = Array.from({ length: 120 }, (_, seq) => ({ seq }))
vi.mock('@augury/platform/affiliates/statement', () => ({
  affiliateStatement: async (_: Site, __: unknown, { query }: { query: { offset: number; limit: number } }) => ({
    shares: SHARES.slice(query.offset, query.offset + query.limit),
  }),
}))

const at = async (query: string) => {
  const locals = { site: { now: () => new Date(0) }, viewer: { kind: 'member' } }
  const data = await load({ locals, url: new URL(`https://site.test/settings/affiliate${query}`) } as never)
  if (!data) throw new Error('no data')
  return { first: data.statement?.shares[0]?.seq, shown: data.statement?.shares.length, newer: data.newer, older: data.older }
}

test('every share is on one of the pages', async () => {
  expect(await at('')).toEqual({ first: 0, shown: 50, newer: null, older: '?offset=50' })
  expect(await at('?offset=50')).toEqual({ first: 50, shown: 50, newer: '?offset=0', older: '?offset=100' })
  expect(await at('?offset=100')).toEqual({ first: 100, shown: 20, newer: '?offset=50', older: null })
  expect(await at('?offset=x')).toMatchObject({ first: 0, shown: 50 })
})

test('beyond the last of them is the first page', () =>
  expect(at('?offset=150')).rejects.toMatchObject({ location: '/settings/affiliate' }))
