import { setTimeout } from 'node:timers/promises'
import { RefusedError } from '@augury/client/answer'
import { headerName } from '@augury/signing/headers'
import { clobAuthTypedData, loginTypedData } from '@augury/signing/login'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { Caller, send } from './caller.ts'
import { runningServer, wallets } from './running-server.ts'

const running = await runningServer()
const alice = await Caller.of(running.url, wallets.alice)

const unauthenticated = (code: string) => ({ error: 'Unauthenticated', code })

test.each([
  ['no header at all', async () => ({}), 'bad_headers'],
  ['an address that is none', async () => ({ ...(await signed()), SVC_ADDRESS: '0x12' }), 'bad_headers'],
  ['a timestamp in milliseconds', async () => ({ ...(await signed()), SVC_TIMESTAMP: String(Date.now()) }), 'bad_headers'],
  ['both spellings, and they differ', async () => ({ ...(await signed()), POLY_ADDRESS: wallets.bob.address }), 'bad_headers'],
  ['an unknown key', async () => ({ ...(await signed()), SVC_API_KEY: '5f0c1a5e-0000-4000-8000-000000000000' }), 'unknown_key'],
  ['another account’s address', async () => ({ ...(await signed()), SVC_ADDRESS: wallets.bob.address }), 'unknown_key'],
  ['31 seconds late', () => signed(-31), 'stale_timestamp'],
  ['60 seconds early', () => signed(60), 'stale_timestamp'],
  ['a signature that is none', async () => ({ ...(await signed()), SVC_SIGNATURE: 'abc' }), 'bad_signature'],
  ['the signature of another path', () => alice.headers('GET', '/data/trades'), 'bad_signature'],
  ['the signature of another method', () => alice.headers('POST', '/data/orders'), 'bad_signature'],
  [
    'another timestamp than was signed',
    async () => ({ ...(await signed()), SVC_TIMESTAMP: String(Math.floor(Date.now() / 1000) + 3) }),
    'bad_signature',
  ],
  ['another passphrase', async () => ({ ...(await signed()), SVC_PASSPHRASE: 'ab'.repeat(32) }), 'bad_passphrase'],
])('401: %s', async (_, headers, code) => {
  const reply = await send(running.url, 'GET', '/data/orders', undefined, (await headers()) as Record<string, string>)
  expect([reply.status, reply.body]).toEqual([401, unauthenticated(code)])
})

const signed = (skew = 0) => alice.headers('GET', '/data/orders', '', skew)

// To the second in the gateway's own tests, whose clock stands still.
test('20 seconds either way are in time, and a query is not signed', async () => {
  for (const skew of [-20, 20])
    expect((await alice.call('GET', `/data/orders?market=0x${'12'.repeat(32)}`, undefined, { skew })).status).toBe(200)
})

test('the established header names work, also together with ours, and with hyphens', async () => {
  const headers = await signed()
  const renamed = (prefix: string) =>
    Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.replace('SVC_', prefix), value]))
  for (const sent of [
    renamed('POLY_'),
    { ...headers, ...renamed('POLY_') },
    Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.replaceAll('_', '-'), value])),
  ]) {
    expect((await send(running.url, 'GET', '/data/orders', undefined, sent)).status).toBe(200)
  }
})

test('an address may be written in any case', async () => {
  for (const SVC_ADDRESS of [wallets.alice.address.toLowerCase(), wallets.alice.address.toUpperCase()]) {
    expect((await send(running.url, 'GET', '/data/orders', undefined, { ...(await signed()), SVC_ADDRESS })).status).toBe(200)
  }
})

test('a body that is not the one that was signed is refused before it is read', async () => {
  const reply = await alice.call('DELETE', '/order', { orderId: '0x1' }, { sentBody: '{"orderId":' })
  expect([reply.status, reply.body]).toEqual([401, unauthenticated('bad_signature')])
})

test('a signed query may only narrow: what the route does not know is refused', async () => {
  const reply = await alice.call('GET', '/data/orders?owner=0x1')
  expect([reply.status, reply.body.code]).toEqual([400, 'invalid_payload'])
  expect((await alice.call('GET', '/data/orders?signature_type=0&geo_block_token=x')).status).toBe(200)
  expect((await alice.call('GET', `/data/orders?maker=${wallets.bob.address}`)).body.data).toEqual([])
})

test('a wallet and nonce have one key, the same whenever it is asked for', async () => {
  const first = await Caller.of(running.url, wallets.carol)
  const again = await Caller.of(running.url, wallets.carol)
  const other = await Caller.of(running.url, wallets.carol, undefined, 7n)
  expect(again.key).toEqual(first.key)
  expect(other.key.key).not.toBe(first.key.key)
  expect(first.key.secret).toMatch(/^[A-Za-z0-9]{43}=$/)
  expect(first.key.passphrase).toMatch(/^[0-9a-f]{64}$/)
  const { apiKeys, keys } = (await first.call('GET', '/auth/api-keys')).body
  expect(apiKeys.sort()).toEqual([first.key.key, other.key.key].sort())
  expect(keys).toContainEqual({
    ...{ apiKey: other.key.key, name: '', scope: 'trade', nonce: '7', last_used: null },
    created_at: expect.stringMatching(/^\d{4}-.*Z$/),
  })
})

async function login(
  method: 'GET' | 'POST',
  path: string,
  change: { chainId?: number; host?: string; seconds?: number; nonce?: bigint; compat?: boolean; dialect?: 'svc' | 'poly' } = {},
  { wallet = wallets.bob, body }: { wallet?: typeof wallets.bob; body?: string } = {},
) {
  const timestamp = String(Math.floor(Date.now() / 1000) + (change.seconds ?? 0))
  const { chainId = running.settings.chainId, host = new URL(running.url).host, nonce = 3n } = change
  const common = { chainId, address: wallet.address, timestamp, nonce }
  const signature = await (change.compat
    ? wallet.signTypedData(clobAuthTypedData(common))
    : wallet.signTypedData(loginTypedData({ ...common, host, method, path })))
  const { dialect = change.compat ? 'poly' : 'svc' } = change
  const headers = {
    [headerName('address', dialect)]: wallet.address,
    [headerName('signature', dialect)]: signature,
    [headerName('timestamp', dialect)]: timestamp,
    [headerName('nonce', dialect)]: String(nonce),
  }
  return send(running.url, method, path, body, { ...headers, 'content-type': 'application/json' })
}

test('a key is derived only after it was created, by our own login or the established one', async () => {
  expect((await login('GET', '/auth/derive-api-key')).body).toEqual({ error: 'Could not derive api key!', code: 'key_not_derivable' })
  const created = await login('POST', '/auth/api-key')
  expect([created.status, Object.keys(created.body).sort()]).toEqual([200, ['apiKey', 'passphrase', 'secret']])
  expect((await login('GET', '/auth/derive-api-key')).body).toEqual(created.body)
  expect((await login('GET', '/auth/derive-api-key', { compat: true })).body).toEqual(created.body)
})

test('the names of headers say nothing of what was signed: either login goes with either', async () => {
  const created = await login('POST', '/auth/api-key', { nonce: 4n })
  for (const change of [{ dialect: 'poly' }, { compat: true, dialect: 'svc' }] as const)
    expect((await login('GET', '/auth/derive-api-key', { nonce: 4n, ...change })).body).toEqual(created.body)
})

test.each([
  ['another chain', { chainId: 1 }, 'bad_signature'],
  ['another host', { host: 'elsewhere.example' }, 'bad_signature'],
  ['too old', { seconds: -31 }, 'stale_timestamp'],
  ['from the future', { seconds: 60 }, 'stale_timestamp'],
])('a login for %s is refused', async (_, change, code) => {
  const reply = await login('POST', '/auth/api-key', change)
  const { chainId: chain_id, publicClobUrl } = running.settings
  const details =
    code === 'bad_signature' ? { details: { host: new URL(publicClobUrl).host, chain_id, compat_chain_ids: [chain_id, 137] } } : {}
  expect([reply.status, reply.body]).toEqual([401, { ...unauthenticated(code), ...details }])
})

test('the scope of a key is fixed by its first creation, and the venue belongs to its wallets', async () => {
  await Caller.of(running.url, wallets.operator, 'venue', 1n)
  await expect(Caller.of(running.url, wallets.operator, 'trade', 1n)).rejects.toMatchObject({ code: 'scope_conflict' })
  await expect(Caller.of(running.url, wallets.alice, 'operator', 9n)).rejects.toMatchObject({ code: 'insufficient_scope' })
  expect((await alice.call('POST', '/operator/pause')).body).toEqual({ error: 'This API key may not do that', code: 'insufficient_scope' })
})

test('the established login, which names no exchange, makes keys that trade and nothing more', async () => {
  const asOperator = (scope: string, compat: boolean) =>
    login('POST', '/auth/api-key', { compat, nonce: 21n }, { wallet: wallets.operator, body: JSON.stringify({ scope }) })
  for (const scope of ['venue', 'operator']) {
    const { status, body } = await asOperator(scope, true)
    expect([status, body.code]).toEqual([403, 'insufficient_scope'])
  }
  expect((await asOperator('trade', true)).status).toBe(200)
  const claimed = await login('POST', `/auth/wallets/0x${'5a'.repeat(20)}/1`, { compat: true })
  expect([claimed.status, claimed.body.code]).toEqual([403, 'insufficient_scope'])
  expect(claimed.body.error).toBe('a wallet is registered with a login that names it')
})

test.each(['operator', 'venue'] as const)('nor is it told the secrets of a key of scope %s, which our own login made', async (scope) => {
  const nonce = scope === 'venue' ? 22n : 23n
  const ask = (method: 'GET' | 'POST', path: string, compat: boolean, body?: string) =>
    login(method, path, { compat, nonce }, { wallet: wallets.operator, ...(body ? { body } : {}) })
  const made = await ask('POST', '/auth/api-key', false, JSON.stringify({ scope }))
  expect((await ask('GET', '/auth/derive-api-key', false)).body).toEqual(made.body)
  for (const [method, path] of [
    ['GET', '/auth/derive-api-key'],
    ['POST', '/auth/api-key'],
  ] as const) {
    const { status, body } = await ask(method, path, true)
    expect([status, body]).toEqual([403, { error: 'This API key may not do that', code: 'insufficient_scope' }])
  }
})

test('a key that can only read reads, cannot trade, and is found by who asks for it', async () => {
  const { body } = await alice.call('POST', '/auth/readonly-api-key')
  const reader = await Caller.with(running.url, {
    address: wallets.alice.address,
    key: body.apiKey,
    secret: body.secret,
    passphrase: body.passphrase,
  })
  expect((await reader.call('GET', '/data/orders')).status).toBe(200)
  expect((await reader.call('DELETE', '/cancel-all')).body.code).toBe('insufficient_scope')
  expect((await alice.call('GET', '/auth/readonly-api-keys')).body).toEqual([body.apiKey])
  const valid = `/auth/validate-readonly-api-key?address=${wallets.alice.address}&key=${body.apiKey}`
  expect((await send(running.url, 'GET', valid)).body).toBe(wallets.alice.address)
  expect((await alice.call('DELETE', '/auth/readonly-api-key', { key: body.apiKey })).body).toBe(true)
  expect((await reader.call('GET', '/data/orders')).body).toEqual(unauthenticated('unknown_key'))
})

test('a wallet has at most a hundred live keys', async () => {
  const bob = await Caller.of(running.url, wallets.bob)
  const made = await Promise.all(Array.from({ length: 3 }, () => bob.call('POST', '/auth/readonly-api-key')))
  expect(made.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(new Set(made.map(({ body }) => body.apiKey)).size).toBe(3)
  let last = made[0]!
  for (let n = 0; n < 100 && last.status === 200; n++) last = await bob.call('POST', '/auth/readonly-api-key')
  expect([last.status, last.body]).toEqual([400, { error: 'Could not create api key', code: 'key_not_created', details: { limit: 100 } }])
  const { body } = await bob.call('GET', '/auth/api-keys')
  expect(body.apiKeys).toHaveLength(100)
  await expect(Caller.of(running.url, wallets.bob, 'trade', 5n)).rejects.toMatchObject({ code: 'key_not_created' })
  await bob.call('DELETE', '/auth/readonly-api-key', { key: made[0]!.body.apiKey })
  expect((await Caller.of(running.url, wallets.bob, 'trade', 5n)).key.key).toEqual(expect.any(String))
})

test('nor has it more where many are asked for at once, and asking twice for one of them is asking once', async () => {
  const crowd = privateKeyToAccount(`0x${'c4'.repeat(32)}`)
  const nonces = Array.from({ length: 120 }, (_, nonce) => BigInt(nonce % 110))
  const ask = async (nonce: bigint): Promise<Caller> => {
    try {
      return await Caller.of(running.url, crowd, 'trade', nonce)
    } catch (error) {
      if (!(error instanceof RefusedError && error.code === 'overloaded')) throw error
      await setTimeout(100) // a busy exchange has not decided yet
      return ask(nonce)
    }
  }
  const asked = await Promise.allSettled(nonces.map(ask))
  const made = asked.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  expect(new Set(made.map(({ key }) => key.key)).size).toBe(100)
  const { body } = await made[0]!.call('GET', '/auth/api-keys')
  expect(body.apiKeys).toHaveLength(100)
  for (const each of asked) if (each.status === 'rejected') expect(each.reason).toMatchObject({ code: 'key_not_created' })
})

test('a revoked key is dead at once and for good; its nonce gets another one', async () => {
  const first = await Caller.of(running.url, wallets.carol, undefined, 11n)
  expect((await first.call('DELETE', '/auth/api-key')).body).toBe('OK')
  expect((await first.call('GET', '/auth/api-keys')).body).toEqual(unauthenticated('unknown_key'))
  const second = await Caller.of(running.url, wallets.carol, undefined, 11n)
  expect(second.key.key).not.toBe(first.key.key)
  await running.restart()
  expect((await first.call('GET', '/auth/api-keys')).status).toBe(401)
  expect((await second.call('GET', '/auth/api-keys')).status).toBe(200)
  expect((await Caller.of(running.url, wallets.carol, undefined, 11n)).key).toEqual(second.key)
})
