import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { CLOSE } from '@augury/wire/limits'
import { expect, onTestFinished, test } from 'vitest'
import { type WebSocket as Socket, WebSocketServer } from 'ws'
import { KeptSocket, type StreamStatus } from '../src/kept-socket.ts'

/** A kept socket to a real server, each of whose connections it hands out. `onHeard` runs after each message. */
async function kept(onHeard: (socket: KeptSocket) => void = () => {}) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(server, 'listening')
  const connections: Socket[] = []
  server.on('connection', (socket) => connections.push(socket))
  const heard: unknown[] = []
  const statuses: StreamStatus[] = []
  const socket = new KeptSocket(
    {
      url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
      onStatus: (status) => statuses.push(status),
      reconnectMs: 1,
    },
    {
      opened: () => socket.settle(),
      heard(message) {
        heard.push(message)
        onHeard(socket)
      },
    },
  )
  onTestFinished(() => {
    socket.close()
    for (const connection of connections) connection.terminate()
    server.close()
  })
  socket.connect()
  await expect.poll(() => [connections.length, statuses]).toEqual([1, ['live']])
  return { socket, connections, heard, statuses }
}

test('given up several times at once, it is opened again once', async () => {
  const { socket, connections, statuses } = await kept()
  for (let times = 0; times < 4; times++) socket.renew()
  await expect.poll(() => statuses).toEqual(['live', 'reconnecting', 'live'])
  await wait(50) // as long as the pauses of all of them
  expect(connections).toHaveLength(2)
})

test('one that was refused for good stays so, whoever gives it up', async () => {
  const { socket, connections, statuses } = await kept()
  connections[0]!.close(CLOSE.unauthenticated)
  await expect.poll(() => statuses).toEqual(['live', 'refused'])
  socket.renew()
  await wait(50)
  expect([statuses, connections.length]).toEqual([['live', 'refused'], 1])
})

test('nothing is heard after its end, not even the rest of a frame', async () => {
  const { connections, heard } = await kept((socket) => socket.close())
  connections[0]!.send('["first", "second"]')
  connections[0]!.send('"third"')
  await expect.poll(() => connections[0]!.readyState).toBe(connections[0]!.CLOSED)
  expect(heard).toEqual(['first'])
})
