import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { CLOSE } from '@augury/wire/limits'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type WebSocket as Socket, WebSocketServer } from 'ws'
import { ReconnectingSocket, type StreamStatus } from '../src/reconnecting-socket.ts'

/** A socket to a real server, with each of the server's connections. `afterMessage` runs after each message. */
async function connected(afterMessage: (socket: ReconnectingSocket) => void = () => {}, staleMs?: number) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(server, 'listening')
  const connections: Socket[] = []
  server.on('connection', (socket) => connections.push(socket))
  const messages: unknown[] = []
  const statuses: StreamStatus[] = []
  const socket = new ReconnectingSocket(
    {
      url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
      onStatus: (status) => statuses.push(status),
      reconnectMs: 1,
      ...(staleMs === undefined ? {} : { staleMs }),
    },
    {
      onOpen: () => socket.confirm(),
      onMessage(message) {
        messages.push(message)
        afterMessage(socket)
      },
    },
  )
  onTestFinished(() => {
    socket.close()
    for (const connection of connections) connection.terminate()
    server.close()
  })
  socket.connect()
  await expect.poll(() => statuses[0]).toBe('live') // with a short `staleMs`, there may be more by now
  return { socket, connections, messages, statuses }
}

test('several renewals at once reconnect once', async () => {
  const { socket, connections, statuses } = await connected()
  for (let times = 0; times < 4; times++) socket.renew()
  await expect.poll(() => statuses).toEqual(['live', 'reconnecting', 'live'])
  await wait(50) // longer than all of their pauses together
  expect(connections).toHaveLength(2)
})

test('connections that are given up soon are opened ever more seldom, even when each was accepted', async () => {
  const { socket, connections, statuses } = await connected()
  const gaps: number[] = []
  for (let times = 1; times <= 8; times++) {
    await expect.poll(() => statuses.at(-1), { interval: 1 }).toBe('live')
    const at = performance.now()
    socket.renew()
    await expect.poll(() => connections.length, { interval: 1 }).toBe(times + 1)
    gaps.push(performance.now() - at)
  }
  expect(gaps.at(-1)).toBeGreaterThan(64) // half of 2 ** 7 ms
})

test('a refused socket stays refused, even if renewed', async () => {
  const { socket, connections, statuses } = await connected()
  connections[0]!.close(CLOSE.unauthenticated)
  await expect.poll(() => statuses).toEqual(['live', 'refused'])
  socket.renew()
  await wait(50)
  expect([statuses, connections.length]).toEqual([['live', 'refused'], 1])
})

test('no message is delivered after close, not even the rest of a frame', async () => {
  const { connections, messages } = await connected((socket) => socket.close())
  connections[0]!.send('["first", "second"]')
  connections[0]!.send('"third"')
  await expect.poll(() => connections[0]!.readyState).toBe(connections[0]!.CLOSED)
  expect(messages).toEqual(['first'])
})

test('a silent connection is replaced, even after the system clock was set back', async () => {
  const { connections } = await connected(() => {}, 100)
  const now = Date.now.bind(Date)
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => now() - 3_600_000)
  onTestFinished(() => clock.mockRestore())
  await expect.poll(() => connections.length).toBeGreaterThan(1)
})
