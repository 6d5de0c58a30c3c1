import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { PING_MS } from '../src/serve/streams/compat-streams.ts'

/** Pings after which a client that never answers hangs up: its library counts the answers that it owes. */
async function pingsBorne(): Promise<number> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  await once(server, 'listening')
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
  client.pong = () => {} // as the established live-data client does
  const [peer] = (await once(server, 'connection')) as [WebSocket]
  await once(client, 'open')
  let pings = 0
  client.on('ping', () => {
    pings++
    peer.ping()
  })
  peer.ping()
  await once(client, 'close')
  server.close()
  return pings
}

test('a live-data client that never answers a ping stays for twenty minutes', async () => {
  expect((await pingsBorne()) * PING_MS).toBeGreaterThanOrEqual(20 * 60_000)
})
