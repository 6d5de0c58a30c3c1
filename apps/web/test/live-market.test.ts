import { LiveBook } from '@augury/client/live-book'
import type { MarketMessage } from '@augury/wire/market-stream'
import { expect, test } from 'vitest'
import { LiveMarket } from '../src/lib/book/live-market.ts'
import { quoteOf } from '../src/lib/book/quote.ts'
import { mergeTrades } from '../src/lib/book/trade-view.ts'

const [yes, no] = ['11', '22']
let seq = 0
const next = () => ({ market: 'condition', timestamp: '1000', prev_seq: seq, seq: ++seq, epoch: 1 })

const levels = (...pairs: [string, string][]) => pairs.map(([price, size]) => ({ price, size }))
const book = (bids: [string, string][], asks: [string, string][], last = ''): MarketMessage => ({
  event_type: 'book',
  ...next(),
  asset_id: yes,
  hash: '',
  bids: levels(...bids),
  asks: levels(...asks),
  min_order_size: '5',
  tick_size: '0.01',
  neg_risk: false,
  last_trade_price: last,
})
const change = (side: 'BUY' | 'SELL', price: string, size: string): MarketMessage => ({
  event_type: 'price_change',
  ...next(),
  price_changes: [{ asset_id: yes, side, price, size, best_bid: '0', best_ask: '1' }],
})
let fills = 0
const traded = (asset_id: string, price: string, trade_id: string, match_type: 'direct' | 'mint' | 'merge' = 'direct'): MarketMessage => ({
  event_type: 'last_trade_price',
  ...next(),
  asset_id,
  price,
  side: 'BUY',
  size: '10',
  fee_rate_bps: '0',
  trade_id,
  fill_id: `${trade_id}.${++fills}`,
  match_type,
})

/** Lets a market hear messages through the stream's own book. */
function heard(...messages: MarketMessage[]) {
  const live = new LiveBook([yes, no])
  const market = new LiveMarket(yes)
  for (const message of messages) if (live.apply(message) === 'applied') market.apply(message)
  return { trades: market.trades, view: market.view(live), volume: market.volume, interest: market.interest }
}

test('what a page paints is the book of the stream with the last price in steps of Yes', () => {
  const opening = [
    ['0.52', '1'],
    ['0.51', '2'],
  ] as [string, string][]
  const { view } = heard(book(opening, [['0.55', '3']], '0.5'), change('SELL', '0.54', '4'), traded(no, '0.46', 'a'))
  expect(view).toEqual({
    bids: [
      { price: 5200, lots: 100 },
      { price: 5100, lots: 200 },
    ],
    asks: [
      { price: 5400, lots: 400 },
      { price: 5500, lots: 300 },
    ],
    last: 5400,
    grid: 100,
  })
  expect(quoteOf(view!)).toEqual({ percent: 53, yesAsk: 5400, noAsk: 4800 })
})

test('fills of one trade are one trade', () => {
  const { trades } = heard(book([], [], '0.5'), traded(yes, '0.5', 'a'), traded(yes, '0.5', 'a'), traded(yes, '0.51', 'b'))
  expect(trades.map(({ id, lots }) => [id, lots])).toEqual([
    ['b', 1000],
    ['a', 2000],
  ])
})

test('what is traded counts for the volume at the price of its own token, and for the interest where it makes or ends pairs', () => {
  const opening = book([], [], '0.5')
  const fills = [traded(yes, '0.5', 'a'), traded(no, '0.4', 'b', 'mint'), traded(no, '0.4', 'b', 'mint'), traded(yes, '0.6', 'c', 'merge')]
  const { volume, interest } = heard(opening, ...fills)
  expect([volume, interest]).toEqual([19_000_000, 10_000_000])
})

test('there is nothing to paint before a snapshot, and the last price comes with it', () => {
  expect(heard(change('BUY', '0.5', '1')).view).toBeNull()
  expect(heard(book([], [], '0.07')).view).toEqual({ bids: [], asks: [], last: 700, grid: 100 })
  expect(quoteOf(heard(book([], [])).view!)).toEqual({ percent: null, yesAsk: null, noAsk: null })
})

test('trades are newest first, each once, also when the page already had them', () => {
  const { trades } = heard(book([], []), traded(yes, '0.53', 'a'), traded(no, '0.47', 'b'))
  expect(trades.map(({ id, outcome, price }) => [id, outcome, price])).toEqual([
    ['b', 1, 4700],
    ['a', 0, 5300],
  ])
  expect(mergeTrades(trades, [trades[1]!, { ...trades[0]!, id: 'older' }]).map(({ id }) => id)).toEqual(['b', 'a', 'older'])
})
