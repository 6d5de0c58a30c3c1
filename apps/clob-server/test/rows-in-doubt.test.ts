import { migrateClob } from '@augury/domain/clob/database'
import { openLine } from '@augury/testing/cut-line'
import { migratedDatabase } from '@augury/testing/database'
import { OutcomeUnknown } from '@augury/venue/record/log/outcome-unknown'
import { ServiceError } from '@augury/wire/service-error'
import { afterAll, afterEach, expect, test } from 'vitest'
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
const alice = await funded(running.url, wallets.alice, '1000')
const market = await registerMarket(running, 'in-doubt')
const established = await Caller.with(`${running.url}/compat`, alice.key)

const { venue } = running.server
const submit = venue.submit.bind(venue)
afterEach(() => {
  venue.submit = submit
})

const order = (size: string) => limit(market.yes, 'BUY', '0.1', size)
const open = async (): Promise<string> => (await alice.place(order('10'))).orderId
const trpc = (name: string, input: object) => alice.call('POST', `/trpc/${name}`, input)
/** A refusal, over REST or tRPC. */
const refusalOf = ({ status, body }: Reply) => {
  const { error, code } = body.error?.data?.refusal ?? body
  return { status, code, error }
}

/** What changes orders, on every surface; the first ones cancel one order. */
const singles: [string, (id: string) => Promise<Reply>][] = [
  ['DELETE /order', (orderId) => alice.call('DELETE', '/order', { orderId })],
  ['DELETE /orders/{id}', (id) => alice.call('DELETE', `/orders/${id}`)],
  ['tRPC cancelOrder', (orderId) => trpc('cancelOrder', { body: { orderId } })],
  ['DELETE /compat/order', (orderID) => established.call('DELETE', '/order', { orderID })],
]
const cancels: typeof singles = [
  ['DELETE /orders', (id) => alice.call('DELETE', '/orders', [id])],
  ['DELETE /compat/orders', (id) => established.call('DELETE', '/orders', [id])],
  ['DELETE /cancel-all', () => alice.call('DELETE', '/cancel-all')],
  ['DELETE /cancel-market-orders', () => alice.call('DELETE', '/cancel-market-orders', { market: market.condition })],
]
const placements: typeof singles = [
  ['POST /order', () => alice.call('POST', '/order', order('10'))],
  ['POST /compat/order', () => established.call('POST', '/order', order('10'))],
  ['tRPC placeOrder', () => trpc('placeOrder', { body: order('10') })],
]

test.each([
  ...singles,
  ...cancels,
  ...placements,
  ['POST /orders', () => alice.call('POST', '/orders', [order('10')])] as (typeof singles)[0],
])('%s with an unknown outcome is answered by a text that says so', async (name, ask) => {
  const id = await open()
  venue.submit = () => Promise.reject(new OutcomeUnknown())
  const what = /cancel|DELETE/.test(name) ? 'was cancelled' : 'took effect'
  expect(refusalOf(await ask(id))).toEqual({
    status: 500,
    code: 'outcome_unknown',
    error: `It is not known yet whether this ${what}. Look at your open orders before you try again.`,
  })
})

test.each([
  ...singles.map(([name, ask]) => [name, ask, 500, 'cancel_failed', 'Unable to cancel this order right now'] as const),
  ...[...cancels, ...placements].map(
    ([name, ask]) => [name, ask, 503, 'service_unavailable', 'Service unavailable. Try again in a moment.'] as const,
  ),
])('%s that certainly was not done has the status and text of the law where it names them', async (name, ask, status, code, error) => {
  const id = await open()
  venue.submit = () => Promise.reject(new ServiceError('service_unavailable', { retryAfter: 1 }))
  const reply = await ask(id)
  expect(refusalOf(reply)).toEqual({ status, code, error })
  expect(reply.headers.get('retry-after')).toBe('1')
  if (code !== 'cancel_failed' || name.includes('compat')) return
  const { canceled, not_canceled } = reply.body.error?.data?.refusal ?? reply.body
  expect({ canceled, not_canceled }).toEqual({ canceled: [], not_canceled: { [id]: error } })
})

test(
  'a cancel whose row the frozen database may have written is answered, and is done once the database is back',
  async () => {
    await alice.call('DELETE', '/cancel-all')
    const id = await open()
    line.silence(true)
    const answered = alice.call('DELETE', '/order', { orderId: id })
    const told = refusalOf(await answered)
    line.silence(false)
    expect(told).toMatchObject({ status: 500, code: 'outcome_unknown' })
    await expect.poll(async () => (await alice.call('GET', '/data/orders')).body.data?.length, { timeout: 30_000 }).toBe(0)
  },
  LIMIT,
)
