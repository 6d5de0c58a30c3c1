import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import type { Operation } from '@augury/wire/operation'
import { venueOperations } from '@augury/wire/operations/venue'
import { expect, test } from 'vitest'
import { Caller, send } from './caller.ts'
import { runningServer, wallets } from './running-server.ts'

const running = await runningServer({ TRUSTED_PROXIES: '127.0.0.1' })
const alice = await Caller.of(running.url, wallets.alice)

const folder = join(import.meta.dirname, 'vectors/json')
const vectors = readdirSync(folder).filter((name) => name.endsWith('.json'))
const vector = (name: string) => new Uint8Array(readFileSync(join(folder, name)))

/** Signs the exact bytes of a file, whatever they are. */
async function signedBytes(path: string, body: Uint8Array<ArrayBuffer>) {
  const timestamp = Math.floor(Date.now() / 1000)
  const key = await crypto.subtle.importKey('raw', Buffer.from(alice.key.secret, 'base64'), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
  ])
  const mac = await crypto.subtle.sign('HMAC', key, Buffer.concat([Buffer.from(`${timestamp}POST${path}`), body]))
  const signature = Buffer.from(mac).toString('base64').replaceAll('+', '-').replaceAll('/', '_')
  const headers = {
    ...(await alice.headers('POST', path)),
    SVC_TIMESTAMP: String(timestamp),
    SVC_SIGNATURE: signature,
    'content-type': 'application/json',
  }
  return send(running.url, 'POST', path, body, headers)
}

test.each(vectors.filter((name) => name.startsWith('n_')))('%s is no JSON', async (name) => {
  const { status, body } = await signedBytes('/orders', vector(name))
  const tooLarge = vector(name).length > 128 * 1024
  expect([status, body.error]).toEqual([tooLarge ? 413 : 400, expect.any(String)])
  expect(body.code).toBe(tooLarge ? 'payload_too_large' : vector(name).length > 0 ? 'invalid_json' : 'invalid_payload')
})

test('what is JSON but no order is refused by what it is, and what may be JSON breaks nothing', async () => {
  for (const name of vectors.filter((found) => !found.startsWith('n_'))) {
    const { status, body } = await signedBytes('/orders', vector(name))
    // A list of things that are no orders has a refusal for each of them.
    expect([200, 400], name).toContain(status)
    if (status === 200) for (const leg of body) expect(leg.success, name).toBe(false)
    else expect(body.error, name).toEqual(expect.any(String))
  }
})

test.each([
  ['a key that reaches behind objects', '[{"token_id":"1","__proto__":{"side":"BUY"}}]', 400, 'invalid_payload'],
  ['the same, escaped', '[{"token_id":"1","\\u005f_proto__":1}]', 400, 'invalid_payload'],
  ['nine levels', '[[[[[[[[[1]]]]]]]]]', 400, 'invalid_json'],
  ['brackets inside a text are no levels', '[{"token_id":"[[[[[[[[[[{{{{"}]', 200, undefined],
  ['a number', '5', 400, 'invalid_payload'],
  ['nothing', '', 400, 'invalid_payload'],
  ['501 tokens', JSON.stringify(Array(501).fill({ token_id: '1' })), 400, 'too_many_items'],
  ['129 KiB', JSON.stringify([{ token_id: 'x'.repeat(129 * 1024) }]), 413, 'payload_too_large'],
])('POST /books with %s', async (_, body, status, code) => {
  const reply = await send(running.url, 'POST', '/books', body)
  expect([reply.status, reply.body.code]).toEqual([status, code])
})

test.each(['/books', '/trpc/getBooks'])('behind too long a body of POST %s nothing is waited for on its connection', async (path) => {
  const body = ' '.repeat(3 * 1024 * 1024)
  const reply = await fetch(`${running.url}${path}`, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
  expect([reply.status, reply.headers.get('connection')]).toEqual([413, 'close'])
})

test('a body that never ends is not waited for', async () => {
  const endless = new ReadableStream({
    pull(controller) {
      controller.enqueue(new Uint8Array(32 * 1024).fill(0x20))
    },
  })
  const outcome = await fetch(`${running.url}/books`, {
    method: 'POST',
    body: endless,
    duplex: 'half',
    headers: { 'content-type': 'application/json' },
  } as RequestInit).then(
    (reply) => reply.status,
    () => 'closed',
  )
  expect([413, 'closed']).toContain(outcome)
})

test.each([
  ['GET', '/nowhere', 404, 'not_found'],
  ['GET', '/order', 405, 'method_not_allowed'],
  ['DELETE', '/books', 405, 'method_not_allowed'],
  ['GET', '/markets/0x12/../13', 404, 'unknown_market'],
  ['GET', '/data/order/%2e%2e', 404, 'not_found'],
  ['GET', '/trades?min_usdc=0.0000001', 400, 'invalid_payload'],
  ['GET', '/trades?min_usdc=-1', 400, 'invalid_payload'],
  ['GET', '/trades?min_usdc=9999999999999999', 200, undefined],
  ['GET', '/markets/0x%31%32', 404, 'unknown_market'],
  ['GET', '/trades?x=%00', 400, 'invalid_payload'],
  ['GET', '/time?x=%00', 400, 'invalid_payload'],
  ['GET', '/markets/%00', 404, 'not_found'],
  ['GET', '/markets/a%2Fb', 404, 'not_found'],
  ['GET', '/markets/%E0%A4', 404, 'not_found'],
  ['GET', '/markets/a%20b', 404, 'unknown_market'],
  ['GET', '/%6Darkets/0x12', 404, 'not_found'],
  ['GET', '/%6Darkets', 404, 'not_found'],
])('%s %s answers %i as JSON', async (method, path, status, code) => {
  const reply = await send(running.url, method, path)
  expect([reply.status, reply.body.code, reply.headers.get('content-type')]).toEqual([status, code, 'application/json; charset=utf-8'])
  expect(reply.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
})

test('a body of another type is refused, and a header that is too large, and what is no HTTP', async () => {
  const form = await send(running.url, 'POST', '/books', 'a=b', { 'content-type': 'application/x-www-form-urlencoded' })
  expect([form.status, form.body.code]).toEqual([415, 'unsupported_media_type'])
  const zipped = await send(running.url, 'POST', '/books', new Uint8Array(gzipSync('[]')), {
    'content-type': 'application/json',
    'content-encoding': 'gzip',
  })
  expect([zipped.status, zipped.body.error, zipped.headers.get('accept-encoding')]).toEqual([
    415,
    'Content-Encoding must be identity',
    'identity',
  ])
  const large = await send(running.url, 'GET', '/time', undefined, { 'x-large': 'x'.repeat(20_000) })
  expect([large.status, large.body.code]).toEqual([431, 'headers_too_large'])
  const port = Number(new URL(running.url).port)
  const raw = connect(port, '127.0.0.1')
  raw.end('HELLO\r\n\r\n')
  expect(await text(raw)).toMatch(/^HTTP\/1\.1 400 [\s\S]*\{"error":"Bad request","code":"bad_request"\}$/)
})

test('every route that needs a key refuses who has none, before it looks at anything else', async () => {
  for (const [name, { method, path, auth }] of Object.entries(venueOperations)) {
    if (auth === 'public') continue
    const reply = await send(running.url, method, path.replace(/\{\w+\}/g, 'x'), method === 'GET' ? undefined : '{')
    expect([name, reply.status, reply.body]).toEqual([name, 401, { error: 'Unauthenticated', code: 'bad_headers' }])
  }
})

test('every list of one’s own refuses a key of the query that it does not know, as its document says', async () => {
  const signed = Object.values<Operation>(venueOperations).filter(({ auth, method }) => auth === 'read' && method === 'GET')
  for (const { path } of signed) {
    const { status, body } = await alice.call('GET', `${path.replace(/\{\w+\}/g, '0x12')}?surprise=1`)
    expect([path, status, body.code]).toEqual([path, 400, 'invalid_payload'])
  }
})

test('any page may call, with every spelling of the signed headers', async () => {
  const reply = await fetch(`${running.url}/order`, {
    method: 'OPTIONS',
    headers: { origin: 'https://a.example', 'access-control-request-method': 'DELETE' },
  })
  expect([reply.status, reply.headers.get('access-control-allow-origin'), reply.headers.get('access-control-allow-credentials')]).toEqual([
    204,
    '*',
    null,
  ])
  expect(reply.headers.get('access-control-allow-headers')).toContain('svc_api_key')
  expect(reply.headers.get('access-control-allow-headers')).toContain('poly_signature')
  // With one that a page may not send, the browser sends nothing at all.
  expect(reply.headers.get('access-control-allow-headers')).toContain('poly_builder_passphrase')
  expect(reply.headers.get('access-control-allow-methods')).toContain('DELETE')
})

test('a hundred readings of books a minute and address, exactly; a batch counts once', async () => {
  const visitor = { 'x-forwarded-for': '6.6.6.6, 198.51.100.7' }
  const replies = await Promise.all(
    Array.from({ length: 130 }, (_, index) =>
      send(running.url, 'POST', '/books', JSON.stringify(Array(index % 50).fill({ token_id: '1' })), visitor),
    ),
  )
  const refused = replies.filter(({ status }) => status === 429)
  expect([replies.filter(({ status }) => status === 200).length, refused.length]).toEqual([100, 30])
  expect(refused[0]!.body).toEqual({ error: 'Too Many Requests', code: 'rate_limited' })
  expect(refused[0]!.headers.get('ratelimit-policy')).toBe('"books";q=100;w=60')
  expect(Number(refused[0]!.headers.get('retry-after'))).toBeGreaterThan(0)
  const spoofed = await send(running.url, 'POST', '/books', '[]', { 'x-forwarded-for': '1.1.1.1, 198.51.100.7' })
  expect(spoofed.status).toBe(429)
  expect((await send(running.url, 'POST', '/books', '[]', { 'x-forwarded-for': '198.51.100.8' })).status).toBe(200)
  expect((await send(running.url, 'POST', '/spreads', '[]', visitor)).status).toBe(200)
})

/** What comes back for bytes that no client of ours would send. */
const bytes = (text: string) =>
  new Promise<string>((resolve) => {
    const socket = connect(Number(new URL(running.url).port), '127.0.0.1')
    let heard = ''
    socket.on('data', (chunk) => {
      heard += chunk
    })
    socket.on('close', () => resolve(heard))
    socket.write(text)
  })
const upgrade =
  'Upgrade: websocket\r\nConnection: Upgrade, close\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13'

type Bytes = [what: string, sent: string, status: number, said: string]

test.each<Bytes>([
  ['a request without a host', 'GET /ok HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'bad_request'],
  ['a request with two hosts', 'GET /ok HTTP/1.1\r\nHost: x\r\nhost: y\r\nConnection: close\r\n\r\n', 400, 'bad_request'],
  ['a socket with two hosts', `GET /ws/market HTTP/1.1\r\nHost: x\r\nHost: x\r\n${upgrade}\r\n\r\n`, 400, 'bad_request'],
  ['a socket where there is no stream', `GET /nowhere HTTP/1.1\r\nHost: x\r\n${upgrade}\r\n\r\n`, 404, 'not_found'],
  ['a socket asked for by POST', `POST /ws/market HTTP/1.1\r\nHost: x\r\n${upgrade}\r\n\r\n`, 404, 'not_found'],
  ...[upgrade.replace(/Sec-WebSocket-Key.*\r\n/, ''), upgrade.replace('Version: 13', 'Version: 7')].map(
    (handshake): Bytes => ['half a handshake', `GET /ws/market HTTP/1.1\r\nHost: x\r\n${handshake}\r\n\r\n`, 400, 'bad_request'],
  ),
  ['HTTP/1.0, which knows no host', 'GET /ok HTTP/1.0\r\n\r\n', 200, '"OK"'],
  ['a path with a name in it, in HTTP/1.0', 'GET /markets/0x12 HTTP/1.0\r\n\r\n', 404, 'unknown_market'],
  [
    'another protocol, which is not spoken',
    'GET /ok HTTP/1.1\r\nHost: x\r\nUpgrade: h2c\r\nConnection: Upgrade, close\r\n\r\n',
    200,
    '"OK"',
  ],
  ['a whole address, as proxies send it', 'GET http://x/ok HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 200, '"OK"'],
  ...['a b', 'a/b?c', 'a:99999'].map(
    (host): Bytes => [`a host “${host}”`, `GET /markets/0x12 HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`, 400, 'bad_request'],
  ),
  ...['*', 'http://x:99999/ok', 'ftp://x/ok', '/markets\\0x12'].map(
    (target): Bytes => [`the target ${target}`, `OPTIONS ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`, 400, 'bad_request'],
  ),
  ['a way around', 'GET /../ok HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 404, 'not_found'],
  ['two lengths', 'POST /books HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n[]', 400, 'bad_request'],
  [
    'a length and chunks',
    'POST /books HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    400,
    'bad_request',
  ],
])('%s is answered in JSON', async (_, text, status, said) => {
  const reply = await bytes(text)
  expect([reply.split(' ')[1], reply.includes(said), /content-type: application\/json/i.test(reply)]).toEqual([String(status), true, true])
})

test('a socket may be asked for by its whole address, as proxies send it', async () => {
  const socket = connect(Number(new URL(running.url).port), '127.0.0.1')
  socket.write(`GET http://x/ws/market HTTP/1.1\r\nHost: x\r\n${upgrade}\r\n\r\n`)
  const [first] = await once(socket, 'data')
  socket.destroy()
  expect(String(first)).toMatch(/^HTTP\/1.1 101 /)
})
