import { eventually } from '@augury/testing/eventually'
import { Side } from '@polymarket/clob-client'
import { type Message, RealTimeDataClient } from '@polymarket/real-time-data-client'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import type { World } from './world.ts'

const options = { tickSize: '0.01', negRisk: false } as const

/** A raw socket, as bots open it, and every message that it heard. */
async function listen(url: string, first: unknown) {
  const socket = new WebSocket(url)
  // biome-ignore lint/suspicious/noExplicitAny: messages of every shape
  const heard: any[] = []
  const closed = new Promise<number>((resolve) => socket.addEventListener('close', ({ code }) => resolve(code)))
  socket.addEventListener('message', ({ data }) => heard.push(...[data === 'PONG' ? data : JSON.parse(data)].flat()))
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', reject)
  })
  socket.send(JSON.stringify(first))
  return { socket, heard, closed }
}

/** The streams of exchange.md 6.4 under `/compat`, and the live-data client, unmodified. */
export function streamConformance(worldOf: () => World): void {
  let w: World
  let base: string
  beforeAll(() => {
    w = worldOf()
    base = w.exchange.url.replace('http', 'ws')
  })

  describe('streams', () => {
    test('W1 M3 the market stream begins with whole books and goes on with changes of both tokens, with hashes that clients compute', async () => {
      const { v1 } = await w.trader()
      const { socket, heard } = await listen(`${base}/compat/ws/market`, { type: 'market', assets_ids: [w.yes, w.no] })
      await eventually(() => expect(heard.map(({ event_type }) => event_type)).toEqual(['book', 'book', 'subscribed']))
      for (const { event_type: _, ...book } of heard.slice(0, 2)) expect(await v1.getOrderBookHash({ ...book })).toBe(book.hash)
      await v1.createAndPostOrder({ tokenID: w.yes, price: 0.05, size: 10, side: Side.BUY }, options)
      await eventually(() => expect(heard).toHaveLength(4))
      expect(heard[3].price_changes.map((one: Record<string, string>) => [one.asset_id, one.price, one.size, one.side])).toEqual([
        [w.yes, '0.05', '10', 'BUY'],
        [w.no, '0.95', '10', 'SELL'],
      ])
      const { hash } = await v1.getOrderBook(w.yes)
      expect(heard[3].price_changes[0].hash).toBe(hash)
      socket.send('PING')
      await eventually(() => expect(heard.at(-1)).toBe('PONG'))
      await v1.cancelAll()
      socket.close()
    })

    test('W2 the user stream tells placements, ends and the steps of a trade in order, and closes for unknown secrets', async () => {
      const [{ v1, creds }, taker] = await Promise.all([w.trader(), w.trader()])
      const auth = { apiKey: creds.key, secret: creds.secret, passphrase: creds.passphrase }
      const { socket, heard } = await listen(`${base}/compat/ws/user`, { type: 'user', auth })
      socket.send('PING')
      await eventually(() => expect(heard).toEqual([{ event_type: 'subscribed', markets: [] }, 'PONG']))
      await v1.createAndPostOrder({ tokenID: w.yes, price: 0.05, size: 10, side: Side.BUY }, options)
      await v1.cancelAll()
      await eventually(() => expect(heard.slice(2).map(({ type }) => type)).toEqual(['PLACEMENT', 'CANCELLATION']))
      await v1.createAndPostOrder({ tokenID: w.yes, price: 0.06, size: 10, side: Side.BUY }, options)
      await taker.v1.createAndPostOrder({ tokenID: w.no, price: 0.94, size: 10, side: Side.BUY }, options)
      await eventually(() =>
        expect(heard.slice(4).map(({ status }) => status)).toEqual(['LIVE', 'MATCHED', 'MINED', 'CONFIRMED', 'MATCHED']),
      )
      socket.close()
      const unknown = await listen(`${base}/compat/ws/user`, { type: 'user', auth: { ...auth, passphrase: 'x' } })
      expect(await unknown.closed).toBe(4001)
    })

    test('W4 B12 the live-data client hears trades, prices and its own orders, and nothing that it cannot read', async () => {
      const complaints = [vi.spyOn(console, 'log'), vi.spyOn(console, 'error')].map((spy) => spy.mockImplementation(() => {}))
      const [maker, taker] = await Promise.all([w.trader(), w.trader()])
      const heard: Message[] = []
      const { key, secret, passphrase } = taker.creds
      const client = new RealTimeDataClient({
        host: `${base}/compat/live`,
        pingInterval: 100,
        onMessage: (_, message) => heard.push(message),
        onConnect: (one) =>
          one.subscribe({
            subscriptions: [
              { topic: 'activity', type: 'orders_matched' },
              { topic: 'clob_market', type: 'price_change', filters: JSON.stringify([w.yes]) },
              { topic: 'clob_user', type: '*', clob_auth: { key, secret, passphrase } },
            ],
          }),
      }).connect()
      const topics = () => heard.map(({ topic, type }) => `${topic} ${type}`)
      await eventually(async () => {
        await maker.v1.createAndPostOrder({ tokenID: w.yes, price: 0.07, size: 10, side: Side.BUY }, options)
        expect(topics()).toContain('clob_market price_change') // it has subscribed
      })
      await taker.v1.createAndPostOrder({ tokenID: w.no, price: 0.93, size: 10, side: Side.BUY }, options)
      await eventually(() => {
        for (const topic of ['activity orders_matched', 'clob_user trade', 'clob_user order']) expect(topics()).toContain(topic)
      })
      expect(heard.find(({ topic }) => topic === 'activity')!.payload).toMatchObject({
        conditionId: w.market,
        size: 10,
        price: 0.93,
        side: 'BUY',
      })
      expect(complaints.flatMap((spy) => spy.mock.calls)).toEqual([])
      client.disconnect()
      await maker.v1.cancelAll()
      vi.restoreAllMocks()
    })
  })
}
