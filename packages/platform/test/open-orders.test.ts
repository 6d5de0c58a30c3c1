import { beforeEach, expect, test, vi } from 'vitest'
import type { Member } from '../src/authorization/viewer.ts'
import type { Site } from '../src/site/site.ts'
import { listEventOpenOrders } from '../src/trading/open-orders.ts'
import { discoveryEvent, openEvents, testPlatform } from './test-platform.ts'

/** A member's orders at the exchange, of which it lists two at a time. */
let orders: { id: string; market: string }[] = []
let asked: { market?: string; next_cursor?: string }[] = []
const exchange = {
  async listOrders({ query }: { query: { market?: string; next_cursor?: string } }) {
    asked.push(query)
    const from = Number(query.next_cursor ?? 0)
    const found = orders.filter(({ market }) => query.market === undefined || market === query.market)
    const data = found.slice(from, from + 2).map((order) => ({ ...order, ...TERMS }))
    return { data, next_cursor: found.length > from + 2 ? String(from + 2) : 'LTE=' }
  },
}
vi.mock('../src/trading/member-exchange.ts', () => ({
  asMember: (_: Site, __: Member, ask: (at: typeof exchange) => unknown) => ask(exchange),
}))

const TERMS = {
  ...{ side: 'BUY', order_type: 'GTC', state: 'live', price: '0.5', original_size: '1', size_matched: '0', asset_id: '1', outcome: 'Yes' },
  ...{ created_at_iso: '2026-11-20T12:00:00Z', expiration_iso: null },
}

const { platform } = await testPlatform()
await openEvents(platform, [
  discoveryEvent('one', 'One', ['t'], [{ slug: 'one' }]),
  discoveryEvent('pair', 'Pair', ['t'], [{ slug: 'p-1' }, { slug: 'p-2' }]),
])
const markets: { id: `0x${string}`; slug: string }[] = await platform.em().execute('select condition_id as id, slug from market')
const idOf = (slug: string) => markets.find((market) => market.slug === slug)!.id
const [one, first, second] = [idOf('one'), idOf('p-1'), idOf('p-2')]
const list = async (slug: string, conditionId?: `0x${string}`) => {
  const { data } = await listEventOpenOrders(platform as Site, {} as Member, { params: { slug }, query: { conditionId } })
  return data.map(({ id }) => id)
}

beforeEach(() => {
  asked = []
  orders = [
    ...['a', 'b', 'c', 'd', 'e'].map((id) => ({ id, market: 'elsewhere' })),
    { id: 'f', market: first },
    { id: 'g', market: one },
    { id: 'h', market: second },
  ]
})

test('of an event with one market the exchange is asked for its orders alone, however many are elsewhere', async () => {
  expect(await list('one')).toEqual(['g'])
  expect(asked).toEqual([{ market: one }])
})

test('of an event with several all pages are read, or one of its markets', async () => {
  expect(await list('pair')).toEqual(['f', 'h'])
  expect(asked).toHaveLength(4)
  expect(await list('pair', second)).toEqual(['h'])
  expect(await list('pair', one)).toEqual([])
  expect(asked).toHaveLength(5)
})
