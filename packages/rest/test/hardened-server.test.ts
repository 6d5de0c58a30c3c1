import { once } from 'node:events'
import type { RequestListener, Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { eventually } from '@augury/testing/eventually'
import { afterEach, expect, test } from 'vitest'
import { hardenedServer } from '../src/hardened-server.ts'

/** Short timeouts. */
const IMPATIENT = { headersTimeout: 200, requestTimeout: 300, connectionsCheckingInterval: 50, keepAliveTimeout: 200 }
const MUCH = Buffer.alloc(64 * 1024 * 1024)
const answer: RequestListener = (incoming, outgoing) => {
  if (incoming.url === '/much') return void outgoing.end(MUCH)
  if (incoming.url === '/late') return void wait(1500).then(() => outgoing.end('late'))
  incoming.resume().on('end', () => outgoing.end('soon'))
}

let server: Server
const sockets: Socket[] = []
async function serve(made: Server): Promise<void> {
  server = made
  await once(server.listen(0, '127.0.0.1'), 'listening')
}
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
  server.closeAllConnections()
  server.close()
})

/** A client that sends a text and never closes the connection. */
function client(said: string): Socket {
  const socket = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', allowHalfOpen: true })
  sockets.push(socket)
  socket.on('error', () => {}).write(said)
  return socket
}
const connections = () =>
  new Promise<number>((resolve, reject) => server.getConnections((error, n) => (error ? reject(error) : resolve(n))))
const get = async (path = '/') => {
  const reply = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, { headers: { connection: 'close' } })
  return [reply.status, await reply.text()]
}
const HEAD = 'POST / HTTP/1.1\r\nHost: a\r\n'

test.each([
  ['say nothing', ''],
  ['never come to the end of their first line', 'GET /'],
  ['never come to the end of a head', `${HEAD}X: `],
  ['never come to the end of a body', `${HEAD}Content-Length: 100\r\n\r\n[`],
  ['never come to the end of a body in parts', `${HEAD}Transfer-Encoding: chunked\r\n\r\n5\r\n[`],
  ['say what is no request', 'HELLO\r\n\r\n'],
  ['say too much', `${HEAD}X: ${'x'.repeat(40_000)}`],
  ['name no host', 'GET / HTTP/1.1\r\n\r\n'],
  ['have nothing more to ask', `${HEAD}Content-Length: 0\r\n\r\n`],
])('clients that %s and never hang up are disconnected; others are served meanwhile', async (_, said) => {
  await serve(hardenedServer(answer, IMPATIENT))
  for (let i = 0; i < 50; i++) client(said).resume()
  expect(await get()).toEqual([200, 'soon'])
  await eventually(async () => expect(await connections()).toBe(0))
})

test('a client that reads none of a long response is disconnected', async () => {
  await serve(hardenedServer(answer, IMPATIENT, 300))
  for (let i = 0; i < 5; i++) client('GET /much HTTP/1.1\r\nHost: a\r\n\r\n').pause()
  await eventually(async () => expect(await connections()).toBe(5))
  expect(await get()).toEqual([200, 'soon'])
  await eventually(async () => expect(await connections()).toBe(0))
})

test('a slow handler is waited for, whatever the timeouts for clients', async () => {
  await serve(hardenedServer(answer, IMPATIENT, 100))
  expect(await get('/late')).toEqual([200, 'late'])
})

test('an idle connection is kept for as long as configured, and a slow response to its next request is waited for', async () => {
  await serve(hardenedServer(answer, { ...IMPATIENT, keepAliveTimeout: 10_000 }, 100))
  const socket = client('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  let received = ''
  socket.on('data', (chunk) => {
    received += chunk
  })
  await expect.poll(() => received).toMatch(/soon$/)
  await wait(500)
  socket.write('GET /late HTTP/1.1\r\nHost: a\r\n\r\n')
  await expect.poll(() => received, { timeout: 10_000 }).toMatch(/late$/)
})

test.each<[string, number, string]>([
  ['HELLO\r\n\r\n', 400, 'bad_request'],
  ['GET / HTTP/1.1\r\n\r\n', 400, 'bad_request'],
  ...['a/api/events?', 'a?b', 'a#b', 'a\\b', 'b@a', 'a b', 'http://a'].map((host): [string, number, string] => [
    `GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
    400,
    'bad_request',
  ]),
  ['GET http://b@a/ HTTP/1.1\r\nHost: a\r\n\r\n', 400, 'bad_request'],
  [`${HEAD}X: ${'x'.repeat(40_000)}\r\n\r\n`, 431, 'headers_too_large'],
])('a malformed request is refused as JSON with the common headers: %#', async (said, status, code) => {
  await serve(hardenedServer(answer))
  const [head, body] = (await text(client(said))).split('\r\n\r\n')
  expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  for (const line of ['Content-Type: application/json; charset=utf-8', 'X-Content-Type-Options: nosniff', 'Cache-Control: no-store'])
    expect(head).toContain(line)
  expect(head).toMatch(/X-Request-Id: [0-9a-f-]{36}/)
  expect(JSON.parse(body!)).toEqual({ error: expect.any(String), code })
})

test.each([
  ['in HTTP/1.0, which names no host', 'GET / HTTP/1.0\r\n\r\n'],
  ['with an unknown expectation', `${HEAD}Expect: applause\r\nContent-Length: 2\r\nConnection: close\r\n\r\n[]`],
  ['before its body, which waits for a word', `${HEAD}Expect: 100-continue\r\nContent-Length: 2\r\nConnection: close\r\n\r\n[]`],
])('a request %s is served normally', async (_, said) => {
  await serve(hardenedServer(answer))
  expect(await text(client(said))).toMatch(/^(HTTP\/1\.1 100 Continue\r\n\r\n)?HTTP\/1\.1 200 OK\r\n[\s\S]*soon/)
})

test('a client that is answered while it waits with its body hears that its connection ends; one whose body is read keeps it', async () => {
  await serve(hardenedServer((incoming, outgoing) => (incoming.url === '/shed' ? outgoing.end('no') : answer(incoming, outgoing))))
  const waiting = (path: string) => `POST ${path} HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n`
  expect(await text(client(waiting('/shed')))).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*Connection: close\r\n[\s\S]*no$/)
  const socket = client(waiting('/'))
  let received = ''
  socket.on('data', (chunk) => {
    received += chunk
  })
  await expect.poll(() => received).toBe('HTTP/1.1 100 Continue\r\n\r\n')
  socket.write('[]')
  await expect.poll(() => received).toMatch(/Connection: keep-alive[\s\S]*soon$/)
})

test.each([
  ['http://b.example/a?b=c', '/a?b=c'],
  ['HTTPS://b.example', '/'],
  ['http://b.example?b=http://c/', '/?b=http://c/'],
])('the absolute target %s is %s of that host', async (target, path) => {
  await serve(hardenedServer(({ url, headers }, outgoing) => outgoing.end(`${url} of ${headers.host}`)))
  const reply = await text(client(`GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`))
  expect(reply).toContain(`${path} of b.example`)
})

test('the default timeouts are at most 15 seconds', async () => {
  await serve(hardenedServer(answer))
  expect([server.headersTimeout, server.requestTimeout, server.maxRequestsPerSocket]).toEqual([10_000, 15_000, 1000])
})
