import { eventually } from '@augury/testing/eventually'
import { BEATS_IN_FIVE_SECONDS, CLOSE } from '@augury/wire/limits'
import { expect, test } from 'vitest'
import { Caller } from './caller.ts'
import { Listener } from './listener.ts'
import { funded, limit, registerMarket } from './market.ts'
import { runningServer, wallets } from './running-server.ts'

const running = await runningServer()
const alice = await funded(running.url, wallets.alice, '100')
const market = await registerMarket(running, 'silence')

const bid = async (): Promise<string> => (await alice.place(limit(market.yes, 'BUY', '0.1', '10'))).orderId
const untilEnded = (id: string) =>
  eventually(async () => {
    const order = await alice.order(id)
    expect(order.state).toBe('cancelled')
    return order
  })

test('heartbeats are a chain of ids; a stale one is answered with the valid one', async () => {
  const beat = (heartbeat_id: string | null) => alice.call('POST', '/v1/heartbeats', { heartbeat_id })
  const first = await beat(null)
  expect([first.status, Object.keys(first.body)]).toEqual([200, ['heartbeat_id']])
  const second = await beat(first.body.heartbeat_id)
  expect(second.status).toBe(200)
  const stale = await beat(first.body.heartbeat_id)
  expect([stale.status, stale.body]).toEqual([
    400,
    { error: 'Invalid heartbeat id', code: 'stale_heartbeat', heartbeat_id: second.body.heartbeat_id },
  ])
  expect((await beat(stale.body.heartbeat_id)).status).toBe(200)
  expect((await alice.call('POST', '/cancel-after', { timeout_ms: 0 })).body).toEqual({ timeout_ms: 0, cancels_at: null })
  expect((await beat('')).status).toBe(200)
  await alice.call('POST', '/cancel-after', { timeout_ms: 0 })
})

test.each([999, 300_001, 1.5, -1, '1000'])('a timeout of %j is none', async (timeout_ms) => {
  for (const path of ['/v1/heartbeats', '/cancel-after']) {
    const { status, body } = await alice.call('POST', path, { timeout_ms })
    expect([status, body.code]).toEqual([400, 'invalid_payload'])
  }
})

test('silence cancels everything, and says why', async () => {
  const id = await bid()
  const { body } = await alice.call('POST', '/cancel-after', { timeout_ms: 1000 })
  expect(Date.parse(body.cancels_at)).toBeGreaterThan(Date.now() - 60_000)
  expect(await untilEnded(id)).toMatchObject({ cancel_reason: 'heartbeat' })
  const next = await bid()
  await new Promise((resolve) => setTimeout(resolve, 1300))
  expect((await alice.order(next)).state).toBe('live')
})

test('who armed before a restart gets one full timeout after it, and no more', async () => {
  const id = await bid()
  await alice.call('POST', '/cancel-after', { timeout_ms: 5000 })
  await running.restart()
  expect((await alice.order(id)).state).toBe('live')
  expect(await untilEnded(id)).toMatchObject({ cancel_reason: 'heartbeat' })
})

/** A socket of the user stream. */
const login = async (caller: Caller, cancel_on_disconnect: boolean) =>
  Listener.open(`${running.url.replace('http', 'ws')}/ws/user`, { type: 'user', auth: await caller.streamAuth(), cancel_on_disconnect })

test('the end of a socket that asked for it cancels everything of its account; of another it does not', async () => {
  const id = await bid()
  const [plain, guarded] = [await login(alice, false), await login(alice, true)]
  await Promise.all([plain, guarded].map((listener) => listener.until(({ event_type }) => event_type === 'subscribed')))
  plain.kill()
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect((await alice.order(id)).state).toBe('live')
  guarded.kill()
  expect(await untilEnded(id)).toMatchObject({ cancel_reason: 'disconnect' })
})

test('sockets whose end cancels everything count as beats: too many are refused with a time to retry', async () => {
  const bob = await Caller.of(running.url, wallets.bob)
  const heard = ({ event_type }: { event_type: string }) => event_type !== 'heartbeat'
  for (let opened = 0; opened < BEATS_IN_FIVE_SECONDS; opened++) {
    const listener = await login(bob, true)
    expect(await listener.until(heard)).toMatchObject({ event_type: 'subscribed' })
    listener.kill()
  }
  const refused = await login(bob, true)
  expect(await refused.until(heard)).toMatchObject({ event_type: 'error', code: 'rate_limited' })
  expect(await refused.untilClosed()).toBe(CLOSE.draining)
  const plain = await login(bob, false)
  expect(await plain.until(heard)).toMatchObject({ event_type: 'subscribed' })
  plain.kill()
})
