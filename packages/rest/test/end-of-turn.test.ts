import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { atEndOfTurn } from '../src/end-of-turn.ts'

test('what was asked for in one turn happens after it, in the order of asking', async () => {
  const seen: string[] = []
  atEndOfTurn(() => {
    seen.push('first')
    atEndOfTurn(() => seen.push('asked for meanwhile'))
  })
  atEndOfTurn(() => seen.push('second'))
  process.nextTick(() => seen.push('the rest of the turn'))
  await setTimeout(20)
  expect(seen).toEqual(['the rest of the turn', 'first', 'second', 'asked for meanwhile'])
})

test('everything that had come is read before anything happens', async () => {
  const seen: string[] = []
  const server = createServer((socket) =>
    socket.on('data', (bytes) => {
      seen.push(`read ${bytes}`)
      atEndOfTurn(() => seen.push(`done ${bytes}`))
    }),
  ).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const sockets = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')]
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  await setTimeout(20) // both are accepted
  for (const [n, socket] of sockets.entries()) socket.write(String(n))
  await setTimeout(50)
  for (const socket of sockets) socket.destroy()
  server.close()
  expect(seen.toSorted()).toEqual(['done 0', 'done 1', 'read 0', 'read 1'])
  expect(seen.slice(0, 2).toSorted()).toEqual(['read 0', 'read 1'])
})
