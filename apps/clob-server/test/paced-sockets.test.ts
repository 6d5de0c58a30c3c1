import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { WorkLimiter } from '../src/paced-socket.ts'
import { serveStreams } from '../src/upgrades.ts'
import { runningServer } from './running-server.ts'

const running = await runningServer({ TRUSTED_PROXIES: '127.0.0.1' })

/** A socket, and what it heard so far. */
async function open(path: string, from?: string) {
  const socket = new WebSocket(running.url.replace('http', 'ws') + path, from ? { headers: { 'x-forwarded-for': from } } : {})
  const heard: string[] = []
  socket.on('message', (data) => heard.push(data.toString()))
  await new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject))
  return { socket, heard }
}

test('who reads no answer is not listened to; reading again, it hears them all', async () => {
  const { socket, heard } = await open('/trpc')
  socket.pause()
  const [asked, letters] = [400, 60_000] // the answers are longer than connections hold
  for (let n = 0; n < asked; n++) socket.send(JSON.stringify({ id: n, method: 'query', params: { path: 'x'.repeat(letters) } }))
  for (let n = 0; n < 30; n++) await fetch(`${running.url}/time`)
  expect(socket.bufferedAmount).toBeGreaterThan((asked * letters) / 4)
  socket.resume()
  await expect.poll(() => heard.length, { timeout: 60_000 }).toBe(asked)
  socket.terminate()
})

test('a socket with much to say waits, and no other does', async () => {
  const [asked, loud] = [4000, await open('/ws/market', '192.0.2.1')]
  const quiet = await open('/ws/market', '192.0.2.2')
  for (let n = 0; n < asked; n++) loud.socket.send('{"')
  quiet.socket.send('PING')
  await expect.poll(() => quiet.heard).toEqual(['PONG'])
  expect(loud.heard.length).toBeLessThan(asked)
  await expect.poll(() => loud.heard.filter((text) => text.includes('error')).length, { timeout: 60_000 }).toBe(asked)
  for (const { socket } of [loud, quiet]) socket.terminate()
})

test('an address has a tenth of the time for what its sockets say, after half a second at once', () => {
  const limiter = new WorkLimiter()
  let [now, work] = [1000, 0]
  for (const end = now + 60_000; now < end; ) {
    const wait = limiter.wait('192.0.2.1', now)
    if (wait === 0) {
      limiter.charge('192.0.2.1', 10, 5, now)
      work += 5
      now += 5
    } else now += wait
  }
  expect(work).toBeGreaterThan(6000)
  expect(work).toBeLessThan(6600)
  limiter.charge('192.0.2.1', 10, 500, now)
  expect([limiter.wait('192.0.2.1', now) > 0, limiter.wait('192.0.2.2', now), limiter.wait('192.0.2.1', now + 60_000)]).toEqual([
    true,
    0,
    0,
  ])
})

test('a long message counts although nothing could be measured', () => {
  const limiter = new WorkLimiter()
  for (let n = 0; n < 40; n++) limiter.charge('192.0.2.1', 64 * 1024, 0, 0)
  expect(limiter.wait('192.0.2.1', 0)).toBeGreaterThan(0)
})

test('work that comes after a message counts, too, such as the books that a subscription begins with', async () => {
  const [loud, quiet] = [await open('/trpc', '192.0.2.3'), await open('/trpc', '192.0.2.4')]
  const { stream } = running.server.edge
  const begin = stream.follow.bind(stream)
  const follow = vi.spyOn(stream, 'follow').mockImplementation((...how) => {
    for (const end = performance.now() + 1500; performance.now() < end; );
    return begin(...how)
  })
  onTestFinished(() => follow.mockRestore())
  const query = (id: number) => JSON.stringify({ id, method: 'query', params: { path: 'x' } })
  loud.socket.send(JSON.stringify({ id: 1, method: 'subscription', params: { path: 'onMarket', input: {} } }))
  await expect.poll(() => follow.mock.calls.length).toBe(1)
  loud.socket.send(query(2))
  quiet.socket.send(query(3))
  await expect.poll(() => quiet.heard.map((text) => JSON.parse(text).id)).toEqual([3])
  expect(loud.heard.map((text) => JSON.parse(text).id)).not.toContain(2)
  for (const { socket } of [loud, quiet]) socket.terminate()
})

test('a message may come in fragments, but not in more than memory is to hold', async () => {
  const { socket, heard } = await open('/ws/market')
  for (let n = 0; n < 255; n++) socket.send(n === 0 ? 'P' : '', { fin: false })
  socket.send('ING')
  await expect.poll(() => heard).toEqual(['PONG'])
  for (let n = 0; n < 257; n++) socket.send('x', { fin: false })
  expect((await once(socket, 'close'))[0]).toBe(1008)
})

test('a message that fails in our code ends its socket and is logged; the process and other sockets go on', async () => {
  const server = createServer()
  const bugs: unknown[] = []
  const odd = {
    accept: (ws: WebSocket) =>
      ws.on('message', (data) => {
        if (data.toString() === 'odd') throw new Error('not thought of')
        ws.send('even')
      }),
  }
  serveStreams(
    server,
    { '/odd': odd },
    () => '127.0.0.1',
    (error) => bugs.push(error),
  )
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const sockets = [1, 2].map(() => new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}/odd`))
  await Promise.all(sockets.map((socket) => once(socket, 'open')))
  const [one, two] = sockets as [WebSocket, WebSocket]
  one.send('odd')
  one.send('even')
  expect((await once(one, 'close'))[0]).toBe(1011)
  two.send('even')
  expect(String((await once(two, 'message'))[0])).toBe('even')
  expect(bugs).toEqual([new Error('not thought of')])
  two.terminate()
  server.close()
})
