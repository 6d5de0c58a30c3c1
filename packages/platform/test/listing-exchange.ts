import { RefusedError } from '@augury/client/answer'
import type { Market } from '@augury/wire/market'

const PAGE = 3

/** A fake exchange that lists markets, three a page, and tells what it was asked for. */
export class ListingExchange {
  /** In the order of registration. */
  listed: Market[] = []
  asked: string[] = []
  /** Runs between a request for a page and its answer. */
  meanwhile = async (): Promise<void> => {}

  readonly client = {
    listMarkets: async ({ query = {} }: { query?: { next_cursor?: string | undefined } } = {}) => {
      this.asked.push(query.next_cursor ?? 'first')
      const from = Number(query.next_cursor ?? 0)
      const data = structuredClone(this.listed.slice(from, from + PAGE))
      await this.meanwhile()
      const next_cursor = from + PAGE < this.listed.length ? String(from + PAGE) : 'LTE='
      return { limit: PAGE, count: data.length, next_cursor, data }
    },
    getMarket: async ({ params }: { params: { condition_id: string } }) => {
      this.asked.push(params.condition_id)
      const market = this.listed.find(({ condition_id }) => condition_id === params.condition_id)
      if (!market) throw new RefusedError(404, { error: 'market not found', code: 'unknown_market' }, undefined)
      return market
    },
  }
}
