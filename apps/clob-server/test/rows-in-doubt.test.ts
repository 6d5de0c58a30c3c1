import { setTimeout as wait } from 'node:timers/promises'
import { migrateClob } from '@augury/domain/clob/database'
import { openLine } from '@augury/testing/cut-line'
import { migratedDatabase } from '@augury/testing/database'
import { afterAll, expect, test } from 'vitest'
import { Caller, type Reply } from './caller.ts'
import { funded, limit, registerMarket } from './market.ts'
import { runningServer, wallets } from './running-server.ts'

const LIMIT = 60_000

const database = new URL(await migratedDatabase('clob', migrateClob))
const line = await openLine(Number(database.port), { host: database.hostname })
database.hostname = '127.0.0.1'
database.port = String(line.port)
const running = await runningServer({ CLOB_DATABASE_URL: database.href })
afterAll(() => line.close())
const [alice, bob, carol] = await Promise.all([
  funded(running.url, wallets.alice, '1000'),
  funded(running.url, wallets.bob, '1000'),
  funded(running.url, wallets.carol, '1000'),
])
const market = await registerMarket(running, 'in-doubt')
const compat = (caller: Caller) => Caller.with(`${running.url}/compat`, caller.key)

const open = async (caller: Caller): Promise<string> => (await caller.place(limit(market.yes, 'BUY', '0.2', '10'))).orderId

const trpc = (caller: Caller, name: string, input: object) => caller.call('POST', `/trpc/${name}`, input)
/** A refusal, over REST or tRPC. */
const refusalOf = ({ status, body }: Reply) => {
  const { error, code } = body.error?.data?.refusal ?? body
  return { status, code, error }
}

/** The requests that change orders, on every surface. */
async function requests(): Promise<[string, () => Promise<Reply>][]> {
  const [one, two, three, four, five] = [await open(alice), await open(alice), await open(alice), await open(bob), await open(carol)]
  const established = await compat(bob)
  const order = (size: string) => ({ tokenId: market.yes, side: 'BUY', orderType: 'GTC', price: '0.1', size }) // a name would be looked up first
  return [
    ['DELETE /order', () => alice.call('DELETE', '/order', { orderId: one })],
    ['DELETE /orders/{id}', () => alice.call('DELETE', `/orders/${two}`)],
    ['tRPC cancelOrder', () => trpc(alice, 'cancelOrder', { body: { orderId: three } })],
    ['DELETE /compat/order', () => established.call('DELETE', '/order', { orderID: four })],
    ['DELETE /orders', () => carol.call('DELETE', '/orders', [five])],
    ['DELETE /cancel-all', () => carol.call('DELETE', '/cancel-all')],
    ['POST /order', () => carol.call('POST', '/order', order('10'))],
    ['POST /orders', () => carol.call('POST', '/orders', [order('11')])],
    ['tRPC placeOrder', () => trpc(carol, 'placeOrder', { body: order('12') })],
  ]
}

test(
  'what waits in a row of which nobody knows whether it was written is answered by a text that says so, on every surface',
  async () => {
    const asked = await requests()
    const before = await open(bob)
    line.delay(400)
    const first = bob.call('DELETE', '/order', { orderId: before }) // while its row is written, the others gather for the next
    await wait(100)
    const answers = asked.map(([, request]) => request())
    await first
    await wait(100) // the next row is on its way
    line.silence(true)
    const told = (await Promise.all(answers)).map(refusalOf)
    line.silence(false)
    line.delay(0)
    for (const [nth, [name]] of asked.entries()) {
      expect(told[nth], name).toMatchObject({ status: 500, code: 'outcome_unknown' })
      expect(told[nth]!.error, name).toBe(
        `It is not known yet whether this ${/DELETE|cancel/.test(name) ? 'was cancelled' : 'took effect'}. Look at your open orders before you try again.`,
      )
    }
    await expect.poll(async () => (await alice.call('GET', '/data/orders')).body.data?.length, { timeout: 20_000 }).toBe(0)
  },
  LIMIT,
)

test(
  'a cancel that certainly was not done has the status and text of the law, everything else says when to try again',
  async () => {
    await expect.poll(async () => (await alice.call('GET', '/healthz')).status, { timeout: 20_000 }).toBe(200)
    const asked = await requests()
    line.refuse(true)
    line.cut()
    await expect.poll(async () => (await alice.call('DELETE', '/order', { orderId: 'nothing' })).status, { timeout: 20_000 }).toBe(500)
    const told = (await Promise.all(asked.map(([, request]) => request()))).map(refusalOf)
    line.refuse(false)
    for (const [nth, [name]] of asked.entries()) {
      const isSingle = /^DELETE (\/compat)?\/order($|s\/)|cancelOrder$/.test(name)
      expect(told[nth], name).toEqual(
        isSingle
          ? { status: 500, code: 'cancel_failed', error: 'Unable to cancel this order right now' }
          : { status: 503, code: 'service_unavailable', error: 'Service unavailable. Try again in a moment.' },
      )
    }
  },
  LIMIT,
)
