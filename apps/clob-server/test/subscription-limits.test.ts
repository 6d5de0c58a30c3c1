import { ADDRESS_SUBSCRIPTIONS, SOCKET_SUBSCRIPTIONS } from '@augury/wire/limits'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { registerMarket } from './market.ts'
import { runningServer } from './running-server.ts'

const running = await runningServer({ TRUSTED_PROXIES: '127.0.0.1' })
const market = await registerMarket(running, 'subscribed-by-many')

/** A socket of a client at an address that subscribes so often, and how many of these were told something or refused. */
async function subscriber(from: string, times: number) {
  const ws = new WebSocket(`${running.url.replace('http', 'ws')}/trpc`, { headers: { 'x-forwarded-for': from } })
  const told = new Map<number, string>()
  ws.on('message', (text) => {
    if (text.toString() === 'PING') return ws.send('PONG')
    for (const { id, result, error } of [JSON.parse(text.toString())].flat())
      if (error) told.set(id, error.data.refusal.code)
      else if (result.data !== undefined) told.set(id, 'data')
  })
  await new Promise((resolve) => ws.once('open', resolve))
  const params = { path: 'onMarket', input: { markets: [market.condition] } }
  ws.send(JSON.stringify(Array.from({ length: times }, (_, n) => ({ id: n + 1, jsonrpc: '2.0', method: 'subscription', params }))))
  const answers = async () => {
    await expect.poll(() => told.size, { timeout: 10_000 }).toBe(times)
    const words = [...told.values()]
    return Object.fromEntries([...new Set(words)].map((word) => [word, words.filter((other) => other === word).length]))
  }
  return { ws, answers }
}

test('all sockets of an address have a hundred subscriptions together; another address, and who makes room, have more', async () => {
  const sockets: WebSocket[] = []
  for (let n = 0; n < ADDRESS_SUBSCRIPTIONS; n += SOCKET_SUBSCRIPTIONS) {
    const { ws, answers } = await subscriber('192.0.2.1', SOCKET_SUBSCRIPTIONS)
    sockets.push(ws)
    expect(await answers()).toEqual({ data: SOCKET_SUBSCRIPTIONS })
  }
  const one = await subscriber('192.0.2.1', 2)
  expect(await one.answers()).toEqual({ rate_limited: 2 })
  const other = await subscriber('192.0.2.2', 2)
  expect(await other.answers()).toEqual({ data: 2 })
  sockets[0]!.terminate()
  await expect
    .poll(async () => {
      const again = await subscriber('192.0.2.1', 1)
      const answer = await again.answers()
      again.ws.terminate()
      return answer
    })
    .toEqual({ data: 1 })
  for (const ws of [...sockets, one.ws, other.ws]) ws.terminate()
}, 60_000)
