import type { Activity, Position } from '@augury/wire/data'
import { expect, test } from 'vitest'
import { gains } from '../src/lib/charts/performance.ts'

type Row = Pick<Activity, 'type' | 'timestamp'> & Partial<Activity>
const row = ({ size = 0, price = 0, ...rest }: Row): Activity =>
  ({
    conditionId: 'c',
    outcomeIndex: 0,
    side: rest.type === 'TRADE' ? 'BUY' : '',
    size,
    price,
    usdcSize: size * price,
    asset: 't',
    ...rest,
  }) as Activity
const held = (size: number, outcomeIndex: 0 | 1 = 0) => ({ conditionId: 'c', outcomeIndex, size }) as Position
const after = (rows: Row[], price: number, positions: Position[] | null = null) => {
  const [gain] = gains(
    rows.map(row),
    positions,
    new Map([
      ['c:0', [{ t: 0, p: price }]],
      ['c:1', [{ t: 0, p: 1 - price }]],
    ]),
    [10_000],
  )
  return { realised: Number(gain!.realised.toFixed(6)), unrealised: Number(gain!.unrealised.toFixed(6)) }
}

test.each([
  [
    'what is bought is worth what it is worth now',
    [{ type: 'TRADE', timestamp: 1, size: 10, price: 0.4 }],
    0.5,
    { realised: 0, unrealised: 1 },
  ],
  [
    'what is sold realises its part of the average cost',
    [
      { type: 'TRADE', timestamp: 1, size: 10, price: 0.4 },
      { type: 'TRADE', timestamp: 2, size: 10, price: 0.6 },
      { type: 'TRADE', timestamp: 3, size: 5, price: 0.7, side: 'SELL' },
    ],
    0.5,
    { realised: 1, unrealised: 0 },
  ],
  [
    'a pair that is split and merged gains nothing',
    [
      { type: 'SPLIT', timestamp: 1, size: 10, outcomeIndex: 999 },
      { type: 'MERGE', timestamp: 2, size: 4, outcomeIndex: 999 },
    ],
    0.8,
    { realised: 0, unrealised: 0 },
  ],
  [
    'a payout realises everything of its market',
    [
      { type: 'TRADE', timestamp: 1, size: 10, price: 0.4 },
      { type: 'REDEEM', timestamp: 2, size: 10, usdcSize: 10, outcomeIndex: 999 },
    ],
    0.5,
    { realised: 6, unrealised: 0 },
  ],
  [
    'what is sold of shares that came before what is known gains nothing that is known',
    [
      { type: 'TRADE', timestamp: 1, size: 4, price: 0.4 },
      { type: 'TRADE', timestamp: 2, size: 10, price: 0.6, side: 'SELL' },
      { type: 'MERGE', timestamp: 3, size: 10, outcomeIndex: 999 },
    ],
    0.5,
    { realised: 0.8, unrealised: 0 },
  ],
  [
    'and of what they are paid, the part of the shares that are known counts',
    [
      { type: 'TRADE', timestamp: 1, size: 4, price: 0.4 },
      { type: 'REDEEM', timestamp: 2, size: 10, usdcSize: 10, outcomeIndex: 999 },
      { type: 'REDEEM', timestamp: 2, size: 10, usdcSize: 10, outcomeIndex: 999, conditionId: 'd' },
    ],
    0.5,
    { realised: 2.4, unrealised: 0 },
  ],
  [
    'what has not happened yet is not counted',
    [{ type: 'TRADE', timestamp: 11, size: 10, price: 0.4 }],
    0.9,
    { realised: 0, unrealised: 0 },
  ],
] as [string, Row[], number, { realised: number; unrealised: number }][])('%s', (_, rows, price, expected) => {
  expect(after(rows, price)).toEqual(expected)
})

test('what a conversion made is what the exchange says that it cost, and with the money on top worth what it took', () => {
  const bought = (conditionId: string, price: number): Row => ({
    type: 'TRADE',
    timestamp: 1,
    size: 10,
    price,
    outcomeIndex: 1,
    conditionId,
  })
  const rows: Row[] = [
    bought('a', 0.7),
    bought('b', 0.8),
    { type: 'CONVERSION', timestamp: 2, size: 10, usdcSize: 10, outcomeIndex: 999, conditionId: '' },
  ]
  const positions = ['c', 'd', 'e'].map((conditionId) => ({ ...held(10), conditionId, initialValue: 2 }))
  const prices = new Map(['c', 'd', 'e'].map((id, i) => [`${id}:0`, [{ t: 0, p: [0.3, 0.1, 0.1][i]! }]]))
  const [gain] = gains(rows.map(row), positions, prices, [10_000])
  expect(gain).toMatchObject({ realised: expect.closeTo(1), unrealised: expect.closeTo(-1) })
})

test('what was converted, and sold or bought since, is worth what it is from then on, and not only now', () => {
  const trade = (timestamp: number, conditionId: string, outcomeIndex: 0 | 1, price: number, more: Partial<Row> = {}): Row => ({
    ...{ type: 'TRADE', timestamp, size: 10, price, outcomeIndex, conditionId, eventSlug: 'cup', ...more },
  })
  const rows: Row[] = [
    trade(1, 'a', 1, 0.7),
    trade(1, 'b', 1, 0.8),
    { type: 'CONVERSION', timestamp: 2, size: 10, usdcSize: 10, outcomeIndex: 999, conditionId: '', eventSlug: 'cup' },
    trade(6, 'c', 0, 0.3, { side: 'SELL', size: 4 }),
    trade(7, 'a', 1, 0.7, { size: 5 }),
    trade(7, 'x', 0, 0.5, { eventSlug: 'other' }),
  ]
  const of = (conditionId: string, position: Position, initialValue: number, eventSlug = 'cup') => ({
    ...position,
    ...{ conditionId, initialValue, eventSlug },
  })
  const positions = [
    of('c', held(6), 1.2),
    of('d', held(10), 2),
    of('e', held(10), 2),
    of('a', held(5, 1), 3.5),
    of('x', held(10), 5, 'other'),
  ]
  const priced = { 'a:1': 0.7, 'b:1': 0.8, 'c:0': 0.3, 'd:0': 0.1, 'e:0': 0.1, 'x:0': 0.5 }
  const prices = new Map(Object.entries(priced).map(([key, p]) => [key, [{ t: 0, p }]]))
  const moments = [1_500, 5_000, 6_500, 10_000]
  const totals = gains(rows.map(row), positions, prices, moments).map(({ realised, unrealised }) => realised + unrealised)
  expect(totals).toEqual(moments.map(() => expect.closeTo(0)))
})

test('what the halves of a pair of several answers count is what the exchange says that they cost', () => {
  const rows: Row[] = [
    { type: 'SPLIT', timestamp: 1, size: 10, usdcSize: 10, outcomeIndex: 999 },
    { type: 'TRADE', timestamp: 2, size: 10, price: 0.2, side: 'SELL' },
  ]
  const positions = [{ ...held(10, 1), initialValue: 8 }]
  expect(after(rows, 0.2, positions)).toEqual({ realised: 0, unrealised: 0 })
  expect(after(rows, 0.2)).toEqual({ realised: -3, unrealised: 3 })
})
