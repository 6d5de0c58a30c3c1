import { once } from 'node:events'
import { eventually } from '@augury/testing/eventually'
import { BEATS_IN_FIVE_SECONDS, CLOSE, FRAMES_UNDER_WAY } from '@augury/wire/limits'
import { ServiceError } from '@augury/wire/service-error'
import { expect, onTestFinished, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { Caller } from './caller.ts'
import { funded, limit, registerMarket } from './market.ts'
import { runningServer, wallets } from './running-server.ts'
import { TradeClient } from './trade-client.ts'

const running = await runningServer()
const alice = await funded(running.url, wallets.alice, '100000')
const market = await registerMarket(running, 'lifetime')
const bid = () => limit(market.yes, 'BUY', '0.1', '10')
const untilEnded = (id: string) =>
  eventually(async () => {
    const order = await alice.order(id)
    expect(order.state).toBe('cancelled')
    return order
  })

test('the end of a socket that asked for it cancels everything of its account; of another it does not', async () => {
  const [plain, guarded] = [await TradeClient.of(alice), await TradeClient.of(alice, { cancel_on_disconnect: true })]
  const { orderId } = (await plain.ask('place', bid())).body
  plain.kill()
  expect(await guarded.ask('amend', { orderId, size: '9' })).toMatchObject({ status: 200, body: { state: 'live' } })
  guarded.kill()
  expect(await untilEnded(orderId)).toMatchObject({ cancel_reason: 'disconnect' })
  const { body } = await alice.call('POST', '/order', bid())
  const headed = await TradeClient.open(running.url, '?cancel_on_disconnect=true', await alice.headers('GET', '/ws/trade'))
  expect(await headed.answer(null)).toMatchObject({ status: 200, body: { cancel_on_disconnect: true } })
  headed.kill()
  expect(await untilEnded(body.orderId)).toMatchObject({ cancel_reason: 'disconnect' })
})

test('sockets whose end cancels everything count as beats: too many are refused with a time to retry', async () => {
  const bob = await Caller.of(running.url, wallets.bob)
  const open = async (wish: object) => {
    const socket = await TradeClient.open(running.url)
    return { socket, answer: await socket.ask('login', { ...(await bob.streamAuth(0, '/ws/trade')), ...wish }) }
  }
  for (let opened = 0; opened < BEATS_IN_FIVE_SECONDS; opened++) {
    const { socket, answer } = await open({ cancel_on_disconnect: true })
    expect(answer).toMatchObject({ status: 200, headers: { RateLimit: expect.stringContaining('dead-man') } })
    socket.kill()
  }
  const { socket, answer } = await open({ cancel_on_disconnect: true })
  expect(answer).toMatchObject({ status: 429, headers: { 'Retry-After': expect.any(String) }, body: { code: 'rate_limited' } })
  expect(await socket.listener.untilClosed()).toBe(CLOSE.draining)
})

test('rate limits are those of REST, counted together, and told in every answer', async () => {
  const carol = await Caller.of(running.url, wallets.carol)
  const socket = await TradeClient.of(carol)
  const cancel = { orderId: '0x12' }
  const remaining = (text: string | null) => Number(/r=(\d+)/.exec(text ?? '')?.[1])
  const there = await carol.call('DELETE', '/order', cancel)
  const here = await socket.ask('cancel', cancel)
  expect(remaining(here.headers.RateLimit)).toBe(remaining(there.headers.get('RateLimit')) - 1)
  expect(here.headers['RateLimit-Policy']).toBe(there.headers.get('RateLimit-Policy'))
  for (let left = remaining(here.headers.RateLimit); left > 0; left--) expect((await socket.ask('cancel', cancel)).status).toBe(404)
  const [refused, alike] = [await socket.ask('cancel', cancel), await carol.call('DELETE', '/order', cancel)]
  expect([refused.status, refused.body]).toEqual([429, alike.body])
  expect(refused.headers['Retry-After']).toBe(alike.headers.get('Retry-After'))
  expect(await socket.ask('cancel-all')).toMatchObject({ status: 200, headers: {} })
  socket.kill()
})

test('an overloaded exchange turns frames away as it does requests', async () => {
  const socket = await TradeClient.of(alice)
  const { gateway } = running.server.edge
  const admit = vi.spyOn(gateway, 'admitFrame').mockImplementation(() => {
    throw new ServiceError('overloaded', { retryAfter: 1 })
  })
  onTestFinished(() => admit.mockRestore())
  const [placed, cancelled] = [await socket.ask('place', bid()), await socket.ask('cancel', { orderId: '0x12' })]
  expect(placed).toMatchObject({ status: 503, headers: { 'Retry-After': '1' }, body: { code: 'overloaded' } })
  expect(cancelled).toMatchObject({ headers: { 'Retry-After': '1' }, body: { code: 'cancel_failed', canceled: [] } })
  socket.kill()
})

test('a fault of ours is answered as one, and logged; the socket and the exchange go on', async () => {
  const socket = await TradeClient.of(alice)
  const { exchange } = running.server.edge.context
  const order = vi.spyOn(exchange, 'order').mockImplementationOnce(() => {
    throw new Error('not thought of')
  })
  onTestFinished(() => order.mockRestore())
  expect(await socket.ask('place', bid())).toMatchObject({ status: 500, body: { code: 'internal_error' } })
  expect(await socket.ask('cancel-all')).toMatchObject({ status: 200 })
  socket.kill()
})

test('a client that does not read its answers is not listened to; reading again, it gets all of them in time', async () => {
  const ws = new WebSocket(`${running.url.replace('http', 'ws')}/ws/trade`, { headers: await alice.headers('GET', '/ws/trade') })
  await once(ws, 'message')
  ws.pause()
  const answers: number[] = []
  ws.on('message', (data) => answers.push(JSON.parse(data.toString()).id))
  const count = 4 * FRAMES_UNDER_WAY
  const ids = Array.from({ length: 500 }, (_, n) => `0x${String(n).padStart(64, '0')}`)
  // Refused as a whole after reading, and answered with many problems: much to read, and no rate limit.
  for (let id = 1; id <= count; id++) ws.send(JSON.stringify({ id, op: 'cancel-market', body: { ids } }))
  for (let n = 0; n < 20; n++) await fetch(`${running.url}/time`)
  ws.resume()
  await expect.poll(() => answers.length, { timeout: 30_000 }).toBe(count)
  expect(answers).toEqual(answers.toSorted((one, other) => one - other))
  ws.terminate()
})

test('a process that stops answers what is under way, and closes with a code that says to come back; nothing is cancelled', async () => {
  const [socket, guarded] = [await TradeClient.of(alice), await TradeClient.of(alice, { cancel_on_disconnect: true })]
  const { body } = await socket.ask('place', bid())
  const ids = Array.from({ length: 30 }, () => socket.send('place', bid()))
  const restarted = running.restart()
  const closed = await Promise.all([socket, guarded].map(({ listener }) => listener.untilClosed()))
  await restarted
  expect(closed).toEqual([CLOSE.draining, CLOSE.draining])
  const told = ids.map((id) => socket.listener.heard.find((message) => message.id === id)).filter((answer) => answer !== undefined)
  for (const { status, body: answer } of told) {
    if (status === 200) expect(await alice.order(answer.orderId)).toMatchObject({ state: 'live' })
    else expect(['service_unavailable', 'standby']).toContain(answer.code)
  }
  expect(await alice.order(body.orderId)).toMatchObject({ state: 'live' })
  const again = await TradeClient.of(alice)
  expect((await again.ask('cancel-all')).body.canceled).toContain(body.orderId)
  again.kill()
})

test('a standby trades for nobody: logins are refused as by REST, and the socket says to try elsewhere', async () => {
  const status = running.server.venue.status()
  const standing = vi.spyOn(running.server.venue, 'status').mockReturnValue({ ...status, writer: 'standby' })
  onTestFinished(() => standing.mockRestore())
  const socket = await TradeClient.open(running.url)
  expect(await socket.ask('login', await alice.streamAuth(0, '/ws/trade'))).toMatchObject({ status: 503, body: { code: 'standby' } })
  expect(await socket.listener.untilClosed()).toBe(CLOSE.draining)
})
