import { fc } from '@augury/testing/properties'
import { formatLots, formatPrice } from '@augury/units/decimal'
import { bookChecksum } from '@augury/wire/checksum'
import type { MarketMessage } from '@augury/wire/market-stream'
import { describe, expect, test } from 'vitest'
import { LiveBook } from '../src/live-book.ts'

const place = (seq: number, prev_seq: number, epoch = 1) => ({ seq, prev_seq, epoch })
const about = { market: '0xc', timestamp: '1700000000000' }
const rest = { ...about, hash: '', min_order_size: '5', tick_size: '0.01', neg_risk: false, last_trade_price: '' }

const snapshot = (seq: number, bids: [string, string][], asks: [string, string][], asset_id = 'yes'): MarketMessage => ({
  event_type: 'book',
  ...rest,
  asset_id,
  bids: bids.map(([price, size]) => ({ price, size })),
  asks: asks.map(([price, size]) => ({ price, size })),
  ...place(seq, seq),
})
const change = (seq: number, prev: number, side: 'BUY' | 'SELL', price: string, size: string, extra = {}): MarketMessage => ({
  event_type: 'price_change',
  ...about,
  price_changes: [{ asset_id: 'yes', side, price, size, best_bid: '0', best_ask: '1' }],
  ...place(seq, prev),
  ...extra,
})
const trade = (seq: number, prev: number): MarketMessage => ({
  event_type: 'last_trade_price',
  ...about,
  asset_id: 'no',
  price: '0.4',
  side: 'BUY',
  size: '3',
  fee_rate_bps: '0',
  trade_id: '9-1',
  fill_id: '9-1',
  match_type: 'mint',
  ...place(seq, prev),
})

describe('a live book', () => {
  test('shows both tokens of a snapshot, best first, mirroring each other', () => {
    const book = new LiveBook(['yes', 'no'])
    expect(book.ready).toBe(false)
    expect(
      book.apply(
        snapshot(
          7,
          [
            ['0.1', '5'],
            ['0.4', '2'],
          ],
          [
            ['0.9', '1'],
            ['0.55', '3'],
          ],
        ),
      ),
    ).toBe('applied')
    expect(book.levels(0)).toEqual({
      bids: [
        { price: '0.4', size: '2' },
        { price: '0.1', size: '5' },
      ],
      asks: [
        { price: '0.55', size: '3' },
        { price: '0.9', size: '1' },
      ],
    })
    expect(book.levels(1, 1)).toEqual({ bids: [{ price: '0.45', size: '3' }], asks: [{ price: '0.6', size: '2' }] })
  })

  test('applies changes, trades, ticks and modes in the order of their positions', () => {
    const book = new LiveBook(['yes', 'no'])
    book.apply(snapshot(7, [['0.4', '2']], []))
    const messages = [
      change(9, 7, 'BUY', '0.4', '0'),
      change(12, 9, 'SELL', '0.6', '5'),
      trade(12, 9), // of the same row
      { event_type: 'tick_size_change', ...about, asset_id: 'yes', old_tick_size: '0.01', new_tick_size: '0.001', ...place(15, 12) },
      { event_type: 'market_mode', ...about, mode: 'paused', ...place(16, 15) },
    ] as MarketMessage[]
    expect(messages.map((message) => book.apply(message))).toEqual(messages.map(() => 'applied'))
    expect(book.levels(0)).toEqual({ bids: [], asks: [{ price: '0.6', size: '5' }] })
    expect(book).toMatchObject({ seq: 16, tickSize: '0.001', mode: 'paused' })
    expect(book.lastTrade).toEqual({ assetId: 'no', price: '0.4', size: '3', side: 'BUY', tradeId: '9-1', at: 1_700_000_000_000 })
  })

  test.each<[string, MarketMessage, string]>([
    ['the next frame', change(9, 7, 'BUY', '0.3', '1'), 'applied'],
    ['a frame after a missing one', change(12, 9, 'BUY', '0.3', '1'), 'gap'],
    ['a frame of another timeline', change(9, 7, 'BUY', '0.3', '1', { epoch: 2 }), 'gap'],
    ['a frame from before the snapshot', change(6, 5, 'BUY', '0.3', '1'), 'ignored'],
    ['a frame whose checksum differs', change(9, 7, 'BUY', '0.3', '1', { checksum: 1 }), 'gap'],
    ['the other token', snapshot(9, [], [], 'no'), 'ignored'],
    ['a resync', { event_type: 'resync', market: '0xc', seq: 9, epoch: 1 }, 'applied'],
  ])('handles %s', (_, message, applied) => {
    const book = new LiveBook(['yes', 'no'])
    book.apply(snapshot(7, [['0.4', '2']], []))
    expect(book.apply(message)).toBe(applied)
  })

  test('ignores changes until there is a snapshot', () => {
    const book = new LiveBook(['yes', 'no'])
    expect(book.apply(change(9, 7, 'BUY', '0.3', '1'))).toBe('ignored')
    book.apply(snapshot(7, [['0.4', '2']], []))
    book.reset()
    expect([book.ready, book.apply(change(9, 7, 'BUY', '0.3', '1'))]).toEqual([false, 'ignored'])
  })

  test('does not know the mode of its market after a gap, in which it may have changed', () => {
    const book = new LiveBook(['yes', 'no'])
    book.apply(snapshot(7, [], []))
    book.apply({ event_type: 'market_mode', ...about, mode: 'open', ...place(9, 7) } as MarketMessage)
    book.apply({ event_type: 'resync', market: '0xc', seq: 12, epoch: 1 })
    book.apply(snapshot(12, [], []))
    expect(book).toMatchObject({ ready: true, mode: undefined })
  })

  test('equals a plain list of levels after any changes, with a matching checksum', () => {
    const arbChange = fc.record({
      side: fc.constantFrom('BUY', 'SELL'),
      price: fc.integer({ min: 1, max: 9999 }),
      lots: fc.nat({ max: 3 }),
    })
    fc.assert(
      fc.property(fc.array(arbChange, { maxLength: 60 }), (changes) => {
        const book = new LiveBook(['yes', 'no'])
        book.apply(snapshot(0, [], []))
        let model: { side: string; price: number; lots: number }[] = []
        for (const [index, { side, price, lots }] of changes.entries()) {
          model = model.filter((level) => level.side !== side || level.price !== price)
          if (lots > 0) model.push({ side, price, lots })
          const { bids, asks } = ladder(model)
          const checksum = bookChecksum(bids, asks)
          expect(book.apply(change(index + 1, index, side, formatPrice(price), formatLots(lots), { checksum }))).toBe('applied')
        }
        expect(book.levels(0)).toEqual(ladder(model))
      }),
    )
  })
})

function ladder(model: { side: string; price: number; lots: number }[]) {
  const of = (side: string, sign: number) =>
    model
      .filter((level) => level.side === side)
      .sort((a, b) => sign * (a.price - b.price))
      .map(({ price, lots }) => ({ price: formatPrice(price), size: formatLots(lots) }))
  return { bids: of('BUY', -1), asks: of('SELL', 1) }
}
