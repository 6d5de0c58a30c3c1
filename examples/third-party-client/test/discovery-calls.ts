import { Side } from '@polymarket/clob-client'
import { beforeAll, describe, expect, test } from 'vitest'
import type { World } from './world.ts'

interface Found {
  id: string
  slug: string
  conditionId: string
  clobTokenIds: string
  outcomes: string
  orderPriceMinTickSize: number
  orderMinSize: number
  negRisk: boolean
  bestBid: number
  closed: boolean
}

/** What bots do before they trade: they ask the discovery service, which has no client of its own, for markets, and read its texts. */
export function discoveryConformance(worldOf: () => World): void {
  let w: World
  let gamma: string
  beforeAll(() => {
    w = worldOf()
    gamma = `${w.url}/compat/gamma`
  })
  const ask = async (target: string) => (await fetch(gamma + target)).json()

  describe('discovery', () => {
    test('G1 leads from a listing to an order by either client, in markets of both kinds, and shows its price', async () => {
      const events: { slug: string; markets: Found[] }[] = []
      const asked = 'active=true&closed=false&archived=false&order=volume24hr&ascending=false&limit=100'
      for (let isWhole = false; !isWhole; ) {
        const page = await ask(`/events?${asked}&offset=${events.length}`)
        events.push(...page)
        isWhole = page.length < 100
      }
      for (const slug of ['rain-event', 'winner-event']) {
        const [market] = events.find((event) => event.slug === slug)!.markets
        expect(JSON.parse(market!.outcomes)).toEqual(['Yes', 'No'])
        const [tokenID] = JSON.parse(market!.clobTokenIds)
        const { v1, v2 } = await w.trader()
        for (const client of [v1, v2]) {
          const tickSize = String(market!.orderPriceMinTickSize) as '0.01'
          const order = { tokenID, price: 0.02, size: market!.orderMinSize, side: Side.BUY }
          expect(await w.place(client, order, { tickSize, negRisk: market!.negRisk })).toMatchObject({ status: 'live' })
        }
        const [now] = await ask(`/markets?condition_ids=${market!.conditionId}`)
        expect(now.bestBid).toBeGreaterThanOrEqual(0.02)
        await v1.cancelAll()
      }
    })

    test('G2 names the same market by slug, number, condition and token', async () => {
      const [market]: Found[] = await ask(`/markets?clob_token_ids=${w.yes}`)
      const ways = [`/markets?slug=${market!.slug}`, `/markets?condition_ids=${w.market}`, `/markets?id=${market!.id}`]
      for (const way of ways) expect((await ask(way))[0].conditionId).toBe(w.market)
      for (const way of [`/markets/${market!.id}`, `/markets/slug/${market!.slug}`]) expect((await ask(way)).conditionId).toBe(w.market)
    })

    test('G3 is read to its end by offsets and by cursors alike', async () => {
      const counted: Found[] = []
      for (let more = true; more; ) {
        const page: Found[] = await ask(`/markets?limit=1&offset=${counted.length}`)
        counted.push(...page)
        more = page.length > 0
      }
      const followed: Found[] = []
      for (let next: string | undefined = ''; next !== undefined; ) {
        const page: { markets: Found[]; next_cursor?: string } = await ask(`/markets/keyset?limit=1${next && `&after_cursor=${next}`}`)
        followed.push(...page.markets)
        next = page.next_cursor
      }
      expect(followed.map(({ id }) => id)).toEqual(counted.map(({ id }) => id))
      expect(counted.map(({ conditionId }) => conditionId)).toContain(w.market)
    })
  })
}
