import { eventually } from '@augury/testing/eventually'
import { SOCKET_CONDITIONS } from '@augury/wire/limits'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { Listener } from './listener.ts'
import { funded, registerMarket, type TestMarket } from './market.ts'
import { runningServer, wallets } from './running-server.ts'

const running = await runningServer({ TRUSTED_PROXIES: '127.0.0.1' })
const markets: TestMarket[] = []
for (let n = 0; n <= SOCKET_CONDITIONS; n += 20) {
  const some = Array.from({ length: 20 }, (_, index) => registerMarket(running, `many-${n + index}`))
  markets.push(...(await Promise.all(some)))
}

const address = () => `${running.url.replace('http', 'ws')}/ws/market`

test('a socket follows 200 conditions; one more is refused by name, and the 200 stay', async () => {
  const ids = markets.map(({ condition }) => condition)
  const listener = await Listener.open(address(), { type: 'market', markets: ids.slice(0, SOCKET_CONDITIONS), initial_dump: false })
  const subscribed = await listener.until((message) => message.event_type === 'subscribed')
  expect(subscribed.markets.length).toBe(SOCKET_CONDITIONS)
  listener.say({ operation: 'subscribe', assets_ids: [markets[0]!.no] }) // of a condition that is followed already
  await listener.until((message) => message.assets_ids?.length === 2 * SOCKET_CONDITIONS)
  listener.say({ operation: 'subscribe', markets: [ids[SOCKET_CONDITIONS]] })
  const refused = { code: 'too_many_subscriptions', details: { refused: [ids[SOCKET_CONDITIONS]] } }
  expect(await listener.until((message) => message.event_type === 'error')).toMatchObject(refused)
  listener.say({ operation: 'unsubscribe', markets: ids.slice(0, 1) })
  await listener.until((message) => message.markets?.length === SOCKET_CONDITIONS - 1)
  listener.kill()
})

test('of too many at once the first are followed; the established dialect has room for 500 tokens; what is not there counts for nothing', async () => {
  const some = markets.slice(0, SOCKET_CONDITIONS + 1)
  const [byMarket, byToken, established] = [
    await Listener.open(address(), { type: 'market', markets: some.map(({ condition }) => condition) }),
    await Listener.open(address(), { operation: 'resume', market: some[0]!.condition, seq: 0, epoch: 1 }),
    await Listener.open(address().replace('/ws', '/compat/ws'), { type: 'market', assets_ids: some.map(({ yes }) => yes) }),
  ]
  byToken.say({ operation: 'subscribe', assets_ids: some.slice(1).map(({ no }) => no) })
  const last = some.at(-1)!.condition
  for (const listener of [byMarket, byToken])
    expect(await listener.until((message) => message.event_type === 'error')).toMatchObject({ details: { refused: [last] } })
  await established.until((message) => message.event_type === 'subscribed' && message.assets_ids.length === some.length)
  expect(established.heard.filter((message) => message.event_type === 'book')).toHaveLength(some.length)
  for (const listener of [byMarket, byToken, established]) listener.kill()
  const unknown = Array.from({ length: SOCKET_CONDITIONS + 1 }, (_, index) => `9${index}`)
  const patient = await Listener.open(address(), { type: 'market', assets_ids: unknown })
  expect(await patient.until((message) => message.event_type === 'subscribed')).toMatchObject({ markets: [], unknown })
  patient.kill()
})

test('one address may hold 100 sockets open; another, and one that makes room, may open more', async () => {
  const open = (from: string) =>
    new Promise<WebSocket | number>((resolve) => {
      const ws = new WebSocket(address(), { headers: { 'x-forwarded-for': from } })
      ws.on('open', () => resolve(ws))
      ws.on('unexpected-response', (_, reply) => {
        expect(reply.headers['retry-after']).toBe('10')
        resolve(reply.statusCode!)
      })
      ws.on('error', () => {})
    })
  const held = await Promise.all(Array.from({ length: 100 }, () => open('192.0.2.1')))
  expect(held.every((one) => one instanceof WebSocket)).toBe(true)
  expect(await open('192.0.2.1')).toBe(429)
  const other = await open('192.0.2.2')
  expect(other).toBeInstanceOf(WebSocket)
  ;(held[0] as WebSocket).terminate()
  await eventually(async () => {
    const again = await open('192.0.2.1')
    expect(again).toBeInstanceOf(WebSocket)
    held.push(again)
  })
  for (const one of [...held, other]) if (one instanceof WebSocket) one.terminate()
})

test('a client that does not read is disconnected, and no other client notices', async () => {
  const alice = await funded(running.url, wallets.alice, '1000')
  const { yes, condition } = markets[0]!
  const healthy = await Listener.open(address(), { type: 'market', markets: [condition] })
  await healthy.until((message) => message.event_type === 'book')
  const deaf = await Listener.open(address(), { type: 'market', markets: markets.slice(0, SOCKET_CONDITIONS).map((one) => one.condition) })
  deaf.read(false)
  const all = markets.slice(0, SOCKET_CONDITIONS).map((one) => one.condition)
  for (let asked = 0; asked < 200; asked++) deaf.say({ operation: 'subscribe', markets: all })
  const { body } = await alice.call('POST', '/order', { tokenId: yes, side: 'BUY', orderType: 'GTC', price: '0.1', size: '10' })
  await healthy.until((message) => message.seq === body.seq)
  await eventually(() => expect(running.server.edge.stream.size).toBe(1))
  healthy.kill()
  deaf.kill() // who does not read does not hear that it was cut off either
})
