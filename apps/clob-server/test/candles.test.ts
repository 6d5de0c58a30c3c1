import { openClob } from '@augury/domain/clob/database'
import { expect, test } from 'vitest'
import { send } from './caller.ts'
import { funded, registerMarket } from './market.ts'
import { runningServer, wallets } from './running-server.ts'

const running = await runningServer()
const alice = await funded(running.url, wallets.alice, '100000')
const bob = await funded(running.url, wallets.bob, '100000')
const HOUR = 3600
const MINUTES = { '1m': 1, '5m': 5, '1h': 60, '4h': 240, '1d': 1440 } as const
type Interval = keyof typeof MINUTES

interface Minute {
  minute: number
  open: number
  high: number
  low: number
  close: number
  lots: number
  volume: number
  trades: number
}
function* numbers(seed: number): Generator<number, never> {
  for (let state = seed; ; state = (state * 48_271) % 2_147_483_647) yield state
}

/** Adds candles up the plain way, minute after minute. */
function naive(rows: readonly Minute[], minutes: number, from: number, to: number) {
  const found = new Map<number, Omit<Minute, 'minute'> & { t: number }>()
  for (const { minute, ...row } of rows.toSorted((a, b) => a.minute - b.minute)) {
    if (minute < from || minute >= to) continue
    const t = Math.floor(minute / (minutes * 60_000)) * minutes * 60
    const sum = found.get(t)
    if (!sum) found.set(t, { t, ...row })
    else
      found.set(t, {
        ...{ t, open: sum.open, high: Math.max(sum.high, row.high), low: Math.min(sum.low, row.low), close: row.close },
        ...{ lots: sum.lots + row.lots, volume: sum.volume + row.volume, trades: sum.trades + row.trades },
      })
  }
  return [...found.values()]
}
const mirrored = (candle: ReturnType<typeof naive>[number]) => ({
  ...candle,
  ...{ open: 10_000 - candle.open, close: 10_000 - candle.close, high: 10_000 - candle.low, low: 10_000 - candle.high },
})

test('the trades of a minute are a candle of it, for both tokens', async () => {
  const market = await registerMarket(running, 'candles')
  const order = (tokenId: string, price: string, size: string) => ({ tokenId, side: 'BUY', orderType: 'GTC', price, size })
  for (const [price, size] of [
    ['0.40', '10'],
    ['0.55', '7'],
    ['0.35', '20'],
  ] as const) {
    await alice.call('POST', '/order', order(market.yes, price, size))
    await bob.call('POST', '/order', order(market.no, (1 - Number(price)).toFixed(2), size))
  }
  await alice.call('GET', '/data/trades') // history has it now
  const read = async (token: string) => (await send(running.url, 'GET', `/candles?market=${token}&interval=1d`)).body.candles
  const [yes, ...others] = await read(market.yes)
  expect(others).toEqual([])
  expect(yes).toMatchObject({ open: 4000, high: 5500, low: 3500, close: 3500, lots: 3700, trades: 3 })
  expect(await read(market.no)).toEqual([mirrored(yes)])
})

test('random minutes of trades make the candles of a naive sum, in every interval and window', async () => {
  const market = await registerMarket(running, 'candles-random')
  const orm = await openClob(running.settings.clobDatabaseUrl)
  const next = numbers(20_261_129)
  const draw = (most: number) => next.next().value % most
  const now = Math.floor(Date.now() / 60_000) * 60_000
  const rows: Minute[] = [...new Set(Array.from({ length: 400 }, () => draw(30 * 24 * 60)))].map((back) => {
    const [a, b, c, d] = [1 + draw(9999), 1 + draw(9999), 1 + draw(9999), 1 + draw(9999)].sort((one, other) => one - other) as [
      number,
      number,
      number,
      number,
    ]
    const amounts = { lots: 1 + draw(1e6), volume: 1 + draw(1e9), trades: 1 + draw(9) }
    return { minute: now - back * 60_000, low: a, open: b, close: c, high: d, ...amounts }
  })
  await orm.em.fork().execute(
    `insert into price_point (stream, condition_id, minute, open, high, low, close, lots, volume, trades)
     select stream, decode(?, 'hex'), given.* from (select distinct stream from price_point) streams
     cross join jsonb_to_recordset(?::jsonb) as given (minute int8, open int2, high int2, low int2, close int2, lots int8, volume int8, trades int)`,
    [market.condition.slice(2), JSON.stringify(rows)],
  )
  await orm.close()
  for (const interval of Object.keys(MINUTES) as Interval[])
    for (const limit of [1, 24, 500])
      for (const end of [now / 1000, now / 1000 - 5 * 24 * HOUR - 1234]) {
        const step = MINUTES[interval] * 60_000
        const last = Math.floor((end * 1000) / step) * step
        const wanted = naive(rows, MINUTES[interval], last - (limit - 1) * step, last + step)
        const read = async (token: string) =>
          (await send(running.url, 'GET', `/candles?market=${token}&interval=${interval}&limit=${limit}&endTs=${end}`)).body.candles
        expect(await read(market.yes)).toEqual(wanted)
        expect(await read(market.no)).toEqual(wanted.map(mirrored))
      }
})

test.each([
  ['market=12', 400, 'unknown_token'],
  ['interval=1h', 400, 'invalid_payload'],
])('a question like %s is refused', async (query, _, code) => {
  expect((await send(running.url, 'GET', `/candles?${query}`)).body.code).toBe(code)
})

test('more candles than an answer has are not read', async () => {
  const market = await registerMarket(running, 'candles-bounds')
  const { status, body } = await send(running.url, 'GET', `/candles?market=${market.yes}&interval=1d&limit=1000000&endTs=0`)
  expect([status, body]).toEqual([200, { candles: [] }])
})
