import { once } from 'node:events'
import { type IncomingMessage, request, Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { BODY_LIMIT } from '@augury/wire/limits'
import type { Operation } from '@augury/wire/operation'
import { venueOperations } from '@augury/wire/operations/venue'
import { ServiceError } from '@augury/wire/service-error'
import { getRequestListener } from '@hono/node-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { refusal } from '../src/answer.ts'
import { exactPaths } from '../src/exact-paths.ts'
import { httpApp, type Routes } from '../src/http.ts'

let bugs = 0
let isShut = false
const executed: string[] = []
/** An operation that echoes its input. */
const echo: Operation = { ...venueOperations.getSpreads, path: '/echo', bodyLimit: BODY_LIMIT }
const routes: Routes = {
  operations: { echo, named: { ...echo, path: '/echo/{name}' }, get: { ...echo, method: 'GET' } },
  turnAway: () => (isShut ? refusal(new ServiceError('overloaded', { retryAfter: 1 }), {}) : null),
  async answer(name, _, { method, path, query, body, params, header }) {
    executed.push(name)
    const text = Buffer.from(body).toString()
    if (text === 'refuse') throw new ServiceError('unknown_token')
    if (text === 'break') throw new Error('a bug')
    return {
      status: 200,
      headers: { 'X-Seq': '7', 'Cache-Control': query === 'kept' ? 'public' : 'no-store' },
      body: JSON.stringify({ name, method, path, query, text, params, seen: header('x-seen') }),
    }
  },
  onBug: () => void bugs++,
  allowedHeaders: [],
}

const listener = getRequestListener(httpApp(routes).fetch)
let handedOn = 0
const byRouter = new Server(listener)
const direct = new Server(
  exactPaths(routes, (incoming, outgoing) => {
    handedOn++
    listener(incoming, outgoing)
  }),
)

beforeAll(async () => {
  for (const server of [byRouter, direct]) await once(server.listen(0, '127.0.0.1'), 'listening')
})
afterAll(() => {
  for (const server of [byRouter, direct]) server.close()
})

async function send(server: Server, method: string, path: string, body: string | undefined, chunked: boolean) {
  const headers = {
    'x-seen': 'yes',
    ...(body !== undefined && !chunked ? { 'content-length': Buffer.byteLength(body) } : {}),
    ...(chunked ? { 'transfer-encoding': 'chunked' } : {}),
  }
  const sent = request({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', method, path, headers, agent: false }).end(body)
  const [reply] = (await once(sent, 'response')) as [IncomingMessage]
  const { 'x-request-id': id, date: _, ...rest } = reply.headers
  expect(id).toMatch(/^[0-9a-f-]{36}$/)
  return { status: reply.statusCode, headers: rest, body: await text(reply) }
}

test.for([
  ['a body', 'POST', '/echo', '{"a":1}', false, 0],
  ['no body', 'POST', '/echo', undefined, false, 0],
  ['letters beyond ASCII', 'POST', '/echo', '"żółw 🐢"', false, 0],
  ['a query', 'GET', '/echo?a=1&b=%20', undefined, false, 0],
  ['a header of the answer', 'GET', '/echo?kept', undefined, false, 0],
  ['a refusal', 'POST', '/echo', 'refuse', false, 0],
  ['a bug', 'POST', '/echo', 'break', false, 0],
  ['as much as there may be', 'POST', '/echo', 'x'.repeat(BODY_LIMIT), false, 0],
  ['a path with a parameter', 'POST', '/echo/me', '1', false, 1],
  ['another method', 'DELETE', '/echo', undefined, false, 1],
  ['a path that is none', 'GET', '/nothing', undefined, false, 1],
  ['a body of unknown length', 'POST', '/echo', '{"a":1}', true, 1],
  ['too much', 'POST', '/echo', 'x'.repeat(BODY_LIMIT + 1), false, 1],
] as const)('both ways answer %s alike', async ([, method, path, body, chunked, handed]) => {
  handedOn = 0
  const [one, other] = [await send(direct, method, path, body, chunked), await send(byRouter, method, path, body, chunked)]
  expect(one).toEqual(other)
  expect(handedOn).toBe(handed)
})

test('a client that disconnects in the middle of a request is not a bug', async () => {
  bugs = 0
  for (const server of [direct, byRouter]) {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    const closed = once(server, 'connection').then(([there]) => new Promise((resolve) => (there as Socket).once('close', resolve)))
    socket.write(`POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{`, () => socket.destroy())
    await closed
    expect((await send(server, 'POST', '/echo', '{}', false)).status).toBe(200)
  }
  expect(bugs).toBe(0)
})

test('a shed request is answered before its body arrives, is not executed, and the connection can be reused', async () => {
  const socket = connect((direct.address() as AddressInfo).port, '127.0.0.1').setNoDelay(true)
  let received = ''
  socket.on('data', (chunk: Buffer) => {
    received += chunk.toString()
  })
  const request = (body: string) => `POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n`
  executed.length = 0
  isShut = true
  const body = 'x'.repeat(BODY_LIMIT)
  socket.write(request(body))
  await expect.poll(() => received).toMatch(/^HTTP\/1.1 503 [\s\S]*\r\nRetry-After: 1\r\n[\s\S]*"code":"overloaded"}$/)
  socket.write(`${body}${request('two')}two`)
  await expect.poll(() => received.split('HTTP/1.1 503 ').length).toBe(3)
  isShut = false
  expect(executed).toEqual([])
  socket.write(`${request('three')}three`)
  await expect.poll(() => received).toContain('"text":"three"')
  expect(executed).toEqual(['echo'])
  socket.destroy()
})
