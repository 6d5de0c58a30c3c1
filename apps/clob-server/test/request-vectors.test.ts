import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { expect, test } from 'vitest'
import { Caller } from './caller.ts'
import { runningServer, wallets } from './running-server.ts'

interface Vector {
  name: string
  timestamp: number
  method: string
  path: string
  body: string | null
  /** What is signed, timestamp first. */
  message: string
}
const file = new URL('../../../packages/signing/test/vectors/hmac.json', import.meta.url)
const { cases, serverNow } = JSON.parse(readFileSync(file, 'utf8')) as { cases: Vector[]; serverNow: number }

const running = await runningServer()
const alice = await Caller.of(running.url, wallets.alice)

const framing = (body: string | null) =>
  body === null ? {} : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }

/** The bytes as they are, past every client that would tidy them. */
function code(method: string, path: string, body: string | null, headers: Record<string, string>): Promise<[number, string | undefined]> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(running.url)
    const asked = request({ hostname, port, method, path, headers: { ...headers, ...framing(body) } }, async (reply) => {
      let text = ''
      for await (const chunk of reply) text += chunk
      const answer = JSON.parse(text)
      resolve([reply.statusCode!, answer?.code])
    })
    asked.on('error', reject)
    asked.end(body ?? undefined)
  })
}

/** What the vector signs, at the same distance from our clock, under our own secret. */
function signed({ timestamp, message }: Vector) {
  const { address, key, passphrase, secret } = alice.key
  // A second of the clock may pass before the service looks: the edges themselves are tested with a clock of their own.
  const away = Math.max(-29, Math.min(29, timestamp - serverNow))
  const now = String(Math.floor(Date.now() / 1000) + away)
  const text = now + message.slice(String(timestamp).length)
  const signature = createHmac('sha256', Buffer.from(secret, 'base64'))
    .update(text, 'utf8')
    .digest('base64')
    .replaceAll('+', '-')
    .replaceAll('/', '_')
  return { SVC_ADDRESS: address, SVC_API_KEY: key, SVC_PASSPHRASE: passphrase, SVC_TIMESTAMP: now, SVC_SIGNATURE: signature }
}

test.each(cases)('over the wire: $name', async (vector) => {
  const { method, path, body } = vector
  const [status] = await code(method, path, body, signed(vector))
  expect(status).not.toBe(401)
  const changed = body === null ? null : `${body} `
  const elsewhere = path.includes('?') ? path.replace('?', '/?') : `${path}/`
  if (changed !== null) expect(await code(method, path, changed, signed(vector))).toEqual([401, 'bad_signature'])
  expect((await code(method === 'GET' ? 'DELETE' : 'PATCH', path, body, signed(vector)))[0]).not.toBe(200)
  expect((await code(method, elsewhere, body, signed(vector)))[0]).not.toBe(200)
  if (method !== 'GET')
    expect(await code(method, `${path}${path.includes('?') ? '&' : '?'}y=1`, body, signed(vector))).toEqual([401, 'bad_signature'])
})
