import type { bookOperations } from '../../operations/books.ts'
import type { ExamplesOf } from '../example.ts'
import { condition, no, yes } from './subjects.ts'

/** The book of the market's Yes token, best first. */
export const book = {
  market: condition,
  asset_id: yes,
  timestamp: '1767182400000',
  hash: '4dc1459e3f1b3b0e6c7a9d2f5b8c1e4a7d0f3b6c',
  bids: [
    { price: '0.42', size: '60' },
    { price: '0.41', size: '250.5' },
  ],
  asks: [{ price: '0.44', size: '120' }],
  min_order_size: '5',
  tick_size: '0.01',
  neg_risk: false,
  last_trade_price: '0.42',
}

const tokens = [{ token_id: yes }, { token_id: no }]
const query = { token_id: yes }
const trade = { token_id: yes, price: '0.42', side: 'BUY' }

export const bookExamples: ExamplesOf<typeof bookOperations> = {
  getBooks: { body: [{ token_id: yes }], output: [book] },
  getBook: { query, output: { ...book, bids: book.bids.toReversed() } },
  getOrderbook: { query: { ...query, depth: 5 }, output: { ...book, seq: 4211, epoch: 1 } },
  getSpreads: { body: tokens, output: { [yes]: '0.02', [no]: '0.02' } },
  getSpread: { query, output: { spread: '0.02' } },
  postLastTradesPrices: { body: tokens, output: [trade] },
  getLastTradesPrices: { query: { token_id: [yes, no] }, output: [trade] },
  getLastTradePrice: { query, output: { price: '0.42', side: 'BUY' } },
  getMidpoint: { query, output: { mid: '0.43' } },
  getMidpoints: { body: tokens, output: { [yes]: '0.43', [no]: '0.57' } },
  queryMidpoints: { query: { token_ids: `${yes},${no}` }, output: { [yes]: '0.43', [no]: '0.57' } },
  getPrice: { query: { ...query, side: 'BUY' }, output: { price: '0.42', best_bid: '0.42', best_ask: '0.44' } },
  getPrices: { body: [{ token_id: yes, side: 'BUY' }], output: { [yes]: { BUY: '0.42' } } },
  queryPrices: {
    query: { token_ids: `${yes},${no}`, sides: 'BUY,SELL' },
    output: { [yes]: { BUY: '0.42' }, [no]: { SELL: '0.58' } },
  },
}
