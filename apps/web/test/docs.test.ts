import { execFile } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { ModuleKind, transpileModule } from 'typescript'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { curlSample, keyEnvironment, SAMPLE_LANGUAGES, sampleIn, typescriptSample } from '../src/lib/code-samples.ts'
import { apiReference } from '../src/lib/server/api-reference.ts'

const secret = Buffer.from(Array.from({ length: 32 }, (_, i) => i + 200))
  .toString('base64')
  .replaceAll('+', '-')
  .replaceAll('/', '_')
const key = { address: '0xA0000000000000000000000000000000000000a1', key: 'the-key', secret, passphrase: "it's a phrase" }
const variables = Object.fromEntries(
  keyEnvironment(key)
    .split('\n')
    .map((line) => line.split(/=(.*)/s).slice(0, 2)),
)

/** What the samples sent, and a server that only listens. */
const heard: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[] = []
const server = createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  heard.push({ method: request.method!, url: request.url!, headers: request.headers, body })
  response.setHeader('content-type', 'application/json').end('{}')
})
let all: ReturnType<typeof apiReference>
beforeAll(async () => {
  await promisify(server.listen.bind(server) as (port: number, host: string, done: () => void) => void)(0, '127.0.0.1')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  all = apiReference({ publicClobUrl: url, origin: url, mode: 'sandbox' })
})
afterAll(() => void server.close())

const run = async (script: string) => {
  heard.length = 0
  await promisify(execFile)('bash', ['-euc', script], {
    env: { PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, AUGURY_TOKEN: 'token', ...variables },
  })
  return heard[0]!
}

test('the reference has every operation of both services, each with an example of its body', () => {
  expect(all.length).toBeGreaterThan(120)
  expect(all.find(({ call }) => call.name === 'placeOrder')).toMatchObject({ service: 'exchange', call: { method: 'POST', proof: 'key' } })
  expect(all.find(({ call }) => call.name === 'addBookmark')).toMatchObject({ service: 'site', call: { proof: 'session' } })
  for (const { call, refusals } of all) {
    expect(call.path, call.name).not.toContain('{')
    for (const { code, text } of refusals) expect(`${code} ${text}`, call.name).toMatch(/^\w+ ./)
  }
})

test('curl samples send what the reference says, and a signature that the exchange takes', async () => {
  for (const name of ['getOrderbook', 'placeOrder', 'listOrders', 'addBookmark', 'deleteKey']) {
    const { call } = all.find((each) => each.call.name === name)!
    const sent = await run(curlSample(call))
    expect(sent, name).toMatchObject({
      method: call.method,
      url: `${call.path}${call.query === '' ? '' : `?${call.query}`}`,
      body: call.body ?? '',
    })
    if (call.proof === 'session') expect(sent.headers.authorization).toBe('Bearer token')
    if (call.proof !== 'key') continue
    const path = call.method === 'GET' ? call.path : sent.url
    const message = `${sent.headers.svc_timestamp}${call.method}${path}${sent.body}`
    const expected = createHmac('sha256', Buffer.from(secret, 'base64url')).update(message).digest('base64')
    expect(sent.headers.svc_signature, name).toBe(expected.replaceAll('+', '-').replaceAll('/', '_'))
    expect(sent.headers.svc_passphrase).toBe(key.passphrase)
  }
})

test('every sample in TypeScript is TypeScript, and names a method of its client', () => {
  for (const { call } of all) {
    const source = typescriptSample(call)
    const { diagnostics = [] } = transpileModule(source, { reportDiagnostics: true, compilerOptions: { module: ModuleKind.ESNext } })
    expect(
      diagnostics.map(({ messageText }) => messageText),
      source,
    ).toEqual([])
    expect(SAMPLE_LANGUAGES.map((language) => sampleIn(language, call)).filter((text) => text === '')).toEqual([])
  }
})

test('the signature that the guide names is the one of its message', () => {
  const guide = readFileSync(join(import.meta.dirname, '../src/docs/api-guide.md'), 'utf8')
  const cell = (name: string) => new RegExp(`\\| ${name} \\| \`(.*)\` \\|`).exec(guide)![1]!
  const made = createHmac('sha256', Buffer.from(cell('secret'), 'base64'))
    .update(cell('message'))
    .digest('base64')
  expect(cell('signature')).toBe(made.replaceAll('+', '-').replaceAll('/', '_'))
})
