import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { keepPulse } from '../src/serve/streams/pulse.ts'

const EVERY_MS = 5000
let server: WebSocketServer
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  server.on('connection', (ws) => keepPulse(ws, EVERY_MS))
  await once(server, 'listening')
})
afterEach(() => {
  vi.useRealTimers()
  for (const ws of server.clients) ws.terminate()
  server.close()
})

async function open(autoPong: boolean) {
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`, { autoPong })
  const [[peer]] = await Promise.all([once(server, 'connection'), once(client, 'open')])
  return { client, peer: peer as WebSocket }
}

/** Lets the next pings go out, and waits until what comes back has arrived. */
async function beat(...clients: WebSocket[]) {
  const pinged = clients.map((client) => once(client, 'ping'))
  vi.advanceTimersByTime(EVERY_MS)
  await Promise.all(pinged)
  for (const client of clients) {
    client.ping() // what came before it on the same connection has arrived, too
    await once(client, 'pong')
  }
}

test('a socket that answers pings stays; a silent one is closed after three pings', async () => {
  const [alive, gone] = [await open(true), await open(false)]
  const ended = once(gone.peer, 'close')
  for (let n = 0; n < 3; n++) {
    const pinged = once(gone.client, 'ping')
    await beat(alive.client)
    await pinged
    expect(gone.peer.readyState).toBe(WebSocket.OPEN)
  }
  await beat(alive.client)
  await ended
  for (let n = 0; n < 10; n++) await beat(alive.client)
  expect(alive.peer.readyState).toBe(WebSocket.OPEN)
})

test.each<[string, (client: WebSocket) => void]>([
  ['says', (client) => client.send('x')],
  ['asks', (client) => client.ping()],
])('who %s something and answers no ping is there', async (_, act) => {
  const { client, peer } = await open(false)
  for (let n = 0; n < 6; n++) {
    const arrived = Promise.race([once(peer, 'message'), once(peer, 'ping')])
    vi.advanceTimersByTime(EVERY_MS)
    act(client)
    await arrived
  }
  expect(peer.readyState).toBe(WebSocket.OPEN)
})

test('the time in which we do not listen is no silence of the client', async () => {
  const { peer } = await open(false)
  peer.pause()
  for (let n = 0; n < 10; n++) vi.advanceTimersByTime(EVERY_MS)
  expect(peer.readyState).toBe(WebSocket.OPEN)
  peer.resume()
})
