import { execFile } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { curlSample, keyEnvironment, sampleIn } from '../src/lib/docs/code-samples.ts'
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

/** Runs shell scripts one after the other. Returns what each of them sent. */
const run = async (scripts: readonly string[]) => {
  heard.length = 0
  // A line of input each: an argument may not be as long as all of them.
  const all = promisify(execFile)('bash', ['-eu'], {
    env: { PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, AUGURY_TOKEN: 'token', SCHEDULER_SECRET: 'secret', ...variables },
  })
  all.child.stdin!.end(scripts.map((script) => `(\n${script}\n) < /dev/null\n`).join(''))
  await all
  expect(heard.length).toBe(scripts.length)
  return [...heard]
}

test('the reference has every operation of both services, each with an example of its body', () => {
  expect(all.length).toBeGreaterThan(120)
  expect(all.find(({ call }) => call.name === 'placeOrder')).toMatchObject({ service: 'exchange', call: { method: 'POST', proof: 'key' } })
  expect(all.find(({ call }) => call.name === 'addBookmark')).toMatchObject({ service: 'site', call: { proof: 'session' } })
  const optional = all.filter((each) => each.optional).map(({ call }) => call.name)
  expect(optional).toEqual(expect.arrayContaining(['listEvents', 'signIn']))
  expect(optional).not.toContain('addBookmark')
  expect(new Set(all.map(({ slug }) => slug)).size).toBe(all.length) // both services have events, orders, holders
  const { path, parameters } = all.find(({ slug }) => slug === 'site-listEvents')!
  expect(path).toBe('/api/events')
  expect(parameters.find(({ name }) => name === 'status')!.text).toContain('`resolved`')
  const meaning = (operation: string, field: string) => {
    return all.find(({ slug }) => slug === operation)!.parameters.find(({ name, place }) => name === field && place === 'body')?.text
  }
  expect(meaning('amendOrder', 'size')).toContain('with what was filled') // of the body, also where it has several forms
  expect(meaning('placeOrders', 'amount')).toContain('USDC to spend')
  expect(meaning('convertPosition', 'event')).toContain('neg_risk_market_id')
  for (const { call, refusals } of all) {
    expect(call.path, call.name).not.toContain('{')
    for (const { code, text } of refusals) expect(`${code} ${text}`, call.name).toMatch(/^\w+ ./)
  }
})

test('every curl sample sends what the reference says, and a signature that the exchange takes', { timeout: 300_000 }, async () => {
  const calls = all.map(({ call }) => call).filter((call) => sampleIn('curl', call) !== null)
  expect(all.length - calls.length).toBe(all.filter(({ call }) => call.proof === 'wallet').length)
  const requests = await run(calls.map(curlSample))
  for (const [n, call] of calls.entries()) {
    const [sent, name] = [requests[n]!, call.name]
    expect(sent, name).toMatchObject({
      method: call.method,
      url: `${call.path}${call.query === '' ? '' : `?${call.query}`}`,
      body: call.body ?? '',
    })
    const bearer = { session: 'Bearer token', scheduler: 'Bearer secret' }[call.proof as string]
    expect(sent.headers.authorization, name).toBe(bearer)
    if (call.proof !== 'key') continue
    const path = call.method === 'GET' ? call.path : sent.url
    const message = `${sent.headers.svc_timestamp}${call.method}${path}${sent.body}`
    const expected = createHmac('sha256', Buffer.from(secret, 'base64url')).update(message).digest('base64')
    expect(sent.headers.svc_signature, name).toBe(expected.replaceAll('+', '-').replaceAll('/', '_'))
    expect(sent.headers.svc_passphrase, name).toBe(key.passphrase)
  }
})

test('every sample in TypeScript compiles against our clients, as a strict reader would have it', { timeout: 300_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'augury-samples-'))
  try {
    symlinkSync(join(import.meta.dirname, '../node_modules'), join(folder, 'node_modules'))
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    const base = join(import.meta.dirname, '../../../tsconfig.base.json')
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ extends: base, include: ['*.ts'] }))
    const written = all.filter(({ call, service }) => {
      const sample = sampleIn('TypeScript', call)
      if (sample !== null) writeFileSync(join(folder, `${service}-${call.name}.ts`), `${sample}\n`)
      return sample !== null
    })
    // Registering a contract wallet is signed by the wallet and has no function of its own.
    expect(all.filter((reference) => !written.includes(reference)).map(({ call }) => call.name)).toEqual(['registerWallet'])
    const tsc = join(import.meta.dirname, '../../../node_modules/.bin/tsc')
    const { stdout } = await promisify(execFile)(tsc, ['-p', folder]).catch((error: { stdout: string }) => error)
    expect(stdout).toBe('')
  } finally {
    rmSync(folder, { recursive: true })
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
