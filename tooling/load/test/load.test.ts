import { expect, test } from 'vitest'
import { gather } from '../src/crowd.ts'
import { Histogram } from '../src/histogram.ts'
import { load } from '../src/load.ts'
import { Notebook } from '../src/notebook.ts'
import { reconcile } from '../src/reconcile.ts'
import { render, verdict } from '../src/report.ts'
import { exchangeAlone } from '../src/system.ts'

const scale = { minutes: 0.05, orders: 60, cancels: 30, views: 0, sockets: 4, traders: 4, markets: 2, overloadSeconds: 0, socketShare: 0.5 }

test('what an exchange said under load is what is so, and a wrong note is noticed', { timeout: 300_000 }, async () => {
  const system = await exchangeAlone()
  try {
    const outcome = await load(system, scale, () => {})
    expect(outcome.wrong).toEqual([])
    expect(outcome.reconciled.orders).toBeGreaterThan(100)
    expect(outcome.reconciled.cancels).toBeGreaterThan(10)
    expect(outcome.watched.books).toBeGreaterThan(0)
    expect(outcome.watched.events).toBeGreaterThan(0)
    expect(outcome.steady.usages.map(({ name }) => name)).toEqual(['clob-server', 'postgres', 'generator'])
    expect(verdict(outcome)).toMatch(/^(reached|bound): /)
    expect(render(outcome, 'here')).toContain('Nothing acknowledged is missing')

    // What the reconciliation is for it must see.
    const crowd = await gather(system, { traders: 4, markets: 2 })
    const trader = crowd.traders[0]!
    const { orderId } = trader.request('POST', '/order', {})
    const lies = new Notebook()
    lies.add({ kind: 'order', orderId, trader: 0, status: 200, word: 'live', seq: 1, matched: 0 })
    const order = { tokenId: crowd.markets[0]!.yes, side: 'BUY', orderType: 'GTC', price: '0.100', size: '7.77' }
    const placed = await trader.call(system.exchange, 'POST', '/order', order)
    lies.add({ kind: 'order', orderId: placed.orderId, trader: 0, status: 400, word: 'invalid', seq: 0, matched: 0 })
    lies.add({ kind: 'cancel', orderId: placed.orderId, trader: 0, status: 200, word: 'cancelled', seq: 0, matched: 0 })
    const { wrong } = await reconcile(system, crowd, lies)
    lies.remove()
    expect(wrong).toEqual(
      expect.arrayContaining([
        '1 acknowledged orders are missing',
        '1 refused orders are alive',
        '1 cancelled orders are not, or were filled afterwards',
      ]),
    )
  } finally {
    await system.stop()
  }
})

test('a histogram knows percentiles to two per cent', () => {
  const times = new Histogram()
  expect(times.percentile(0.5)).toBeNaN()
  for (let ms = 1; ms <= 1000; ms++) times.add(ms)
  expect(times.percentile(0.5)).toBeCloseTo(500, -2)
  expect(Math.abs(times.percentile(0.99) / 990 - 1)).toBeLessThan(0.02)
})
