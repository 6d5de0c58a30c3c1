import type { BookView } from './book-view.ts'
import type { MarketView } from './event-view.ts'
import type { TradeView } from './trade-view.ts'

/** How fresh what a page shows is. */
export type LiveState = 'starting' | 'live' | 'delayed' | 'offline'

/** What a row shows of a market: chance in percent, best offers in steps (null without one). */
export interface Quote {
  percent: number
  yesAsk: number | null
  noAsk: number | null
}

export class LiveEvent {
  state: LiveState = $state('starting')
  now = $state(0)
  #books = $state.raw(new Map<string, BookView>())

  follow(_url: string, _markets: MarketView[]) {}
  book(market: MarketView): BookView | undefined {
    return this.#books.get(market.conditionId)
  }
  quote(market: MarketView): Quote | undefined {
    return undefined
  }
  tradesOf(_market: MarketView, trades: TradeView[]): TradeView[] {
    return trades
  }
}
