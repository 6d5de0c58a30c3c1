import { createHmac } from 'node:crypto'
import { keyOf } from '@augury/signing/hmac'
import { verifyRequest } from '@augury/signing/request'
import { expect, test, vi } from 'vitest'
import { Budgets } from '../src/serve/access/budgets.ts'
import { type Call, Gateway } from '../src/serve/access/gateway.ts'
import { passphraseHash } from '../src/serve/access/keys.ts'

vi.mock('@augury/signing/request', async (original) => {
  const real = await original<typeof import('@augury/signing/request')>()
  return { ...real, verifyRequest: vi.fn(real.verifyRequest) }
})

const NOW = 1_710_000_000
const OWNER = `0x${'a1'.repeat(20)}` as const
const KEY = '3f2504e0-4f89-41d3-9a0c-0305e82c3301'
const secret = Buffer.alloc(32, 7)
const hmac = keyOf(secret)

const parts = {
  shedder: { admit() {} } as never,
  venue: {
    status: () => ({ writer: 'primary', verified: true }),
    now: () => NOW * 1000,
    exchange: { account: () => ({ tier: 0 }) },
  } as never,
  keys: {
    find: (key: string) =>
      key === KEY ? { key: KEY, owner: OWNER, scope: 'trade', deployment: null, hmac, passphraseHash: passphraseHash('open') } : undefined,
    used() {},
  } as never,
  budgets: new Budgets(),
  login: {
    verify: async ({ clientAddress, answerHeaders }: Call) => ({ kind: 'wallet', clientAddress, answerHeaders }),
  } as never,
  wallSeconds: () => NOW,
}
const gateway = new Gateway(parts)

/** A signed read, changed where a test says so. */
function call(change: Record<string, string> = {}): Call {
  const timestamp = change.svc_timestamp ?? String(NOW)
  const headers: Record<string, string> = {
    ...{ svc_address: OWNER, svc_api_key: KEY, svc_passphrase: 'open', svc_timestamp: timestamp },
    svc_signature: createHmac('sha256', secret)
      .update(`${timestamp}GET/data/orders`)
      .digest('base64')
      .replaceAll('+', '-')
      .replaceAll('/', '_'),
    ...change,
  }
  const header = (name: string) => headers[name]
  return { method: 'GET', path: '/data/orders', query: '', body: new Uint8Array(), header, clientAddress: '127.0.0.1', answerHeaders: {} }
}

test.each([
  ['an unknown key', { svc_api_key: '00000000-0000-4000-8000-000000000000' }, 'unknown_key'],
  ['another account’s key', { svc_address: `0x${'b2'.repeat(20)}` }, 'unknown_key'],
  ['a time outside the window', { svc_timestamp: String(NOW - 31) }, 'stale_timestamp'],
  ['another signature', { svc_signature: `${'A'.repeat(43)}=` }, 'bad_signature'],
  ['a signature that is none', { svc_signature: 'none' }, 'bad_signature'],
  ['another passphrase', { svc_passphrase: 'shut' }, 'bad_passphrase'],
])('%s costs one signature, like a request that is let in, and has the same error text', async (_, change, code) => {
  vi.mocked(verifyRequest).mockClear()
  const refused = await (async () => gateway.admit('listOrders', call(change)))().catch((error) => error)
  expect([refused.status, refused.body()]).toEqual([401, { error: 'Unauthenticated', code }])
  expect(verifyRequest).toHaveBeenCalledTimes(1)
})

test('the edges of the window are inside', async () => {
  for (const seconds of [NOW - 30, NOW, NOW + 30]) {
    expect(await gateway.admit('listOrders', call({ svc_timestamp: String(seconds) }))).toMatchObject({ kind: 'trader', account: OWNER })
  }
})

test('a stream’s login is a signed GET of its path', () => {
  const login = (path: string) => ({
    ...{ key: KEY, passphrase: 'open', timestamp: String(NOW) },
    signature: createHmac('sha256', secret).update(`${NOW}GET${path}`).digest('base64').replaceAll('+', '-').replaceAll('/', '_'),
  })
  expect(gateway.verifyLogin(login('/ws/user'))).toMatchObject({ account: OWNER, key: KEY })
  expect(() => gateway.verifyLogin(login('/ws/market'))).toThrow('Unauthenticated')
})

test('an address registers a hundred keys, wallets and accounts of play money a minute, for any signers; in a sandbox its own machine any number', async () => {
  const from = (clientAddress: string) => ({ ...call(), clientAddress })
  const ask = async (by: Gateway, name: 'createKey' | 'registerWallet' | 'createReadonlyKey', address: string) =>
    by.admit(name, name === 'createReadonlyKey' ? call() : from(address))
  for (let n = 0; n < 50; n++) for (const name of ['createKey', 'registerWallet'] as const) await ask(gateway, name, '127.0.0.1')
  for (const name of ['createKey', 'registerWallet', 'createReadonlyKey'] as const)
    await expect(ask(gateway, name, '127.0.0.1')).rejects.toMatchObject({ code: 'rate_limited' })
  await ask(gateway, 'createKey', '192.0.2.1')
  const sandbox = new Gateway({ ...parts, budgets: new Budgets(['keys']) })
  for (let n = 0; n < 101; n++) await ask(sandbox, 'createKey', '127.0.0.1')
  for (let n = 0; n < 100; n++) await ask(sandbox, 'createKey', '192.0.2.1')
  await expect(ask(sandbox, 'createKey', '192.0.2.1')).rejects.toMatchObject({ code: 'rate_limited' })
  const play = async (address: string) => sandbox.admit('faucet', { ...call(), header: () => undefined, clientAddress: address })
  for (let n = 0; n < 100; n++) await play('192.0.2.2')
  await expect(play('192.0.2.2')).rejects.toMatchObject({ code: 'rate_limited' })
  await play('127.0.0.1')
})

/** A gateway of a process, or of an exchange where the account has a tier. */
const of = (status: object, tier = 0) =>
  new Gateway({
    ...parts,
    venue: { status: () => status, now: () => NOW * 1000, exchange: { seq: 7, account: () => ({ tier }) } } as never,
  })
const primary = { writer: 'primary', verified: true }

test.each([
  ['follows another', { writer: 'standby', verified: true }, 'standby'],
  ['does not know whether it is still the writer', { writer: 'primary', verified: false }, 'service_unavailable'],
])('private data is not served by a process that %s', async (_, status, code) => {
  const asked = async () => of(status).admit('listOrders', call())
  await expect(asked()).rejects.toMatchObject({ status: 503, code })
})

test('the account behind a request is accepted only from the exchange’s own servers', async () => {
  const behind = call({ 'x-client-address': '198.51.100.9' })
  expect(await of(primary).admit('listOrders', behind)).toMatchObject({ clientAddress: '127.0.0.1' })
  expect(await of(primary, 2).admit('listOrders', behind)).toMatchObject({ clientAddress: '198.51.100.9' })
})

test('orders have a budget of their own in which a batch counts as its orders, and cancels do not wait for it', async () => {
  const gateway = new Gateway({ ...parts, budgets: new Budgets() })
  const remaining = (answered: Call) => answered.answerHeaders['RateLimit-Remaining']
  const placed = async (name: 'placeOrder' | 'placeOrders', orders = 1) => {
    const asked = call()
    gateway.countItems(name, await gateway.admit(name, asked), orders)
    return remaining(asked)
  }
  expect([await placed('placeOrders', 15), await placed('placeOrder'), await placed('placeOrders', 1984)]).toEqual(['1985', '1984', '0'])
  await expect(placed('placeOrder')).rejects.toMatchObject({ status: 429, retryAfter: 10 })
  await expect(placed('placeOrders', 15)).rejects.toMatchObject({ code: 'rate_limited' })
  const cancel = call()
  await gateway.admit('cancelOrder', cancel)
  expect([remaining(cancel), cancel.answerHeaders['RateLimit-Policy']]).toEqual(['99', '"cancel";q=100;w=60'])
  await gateway.admit('cancelAll', call())
})

test('a batch with more orders than are left is refused whole, and costs nothing', async () => {
  const gateway = new Gateway({ ...parts, budgets: new Budgets() })
  const asked = call()
  const trader = await gateway.admit('placeOrders', asked)
  gateway.countItems('placeOrders', trader, 1990)
  expect(() => gateway.countItems('placeOrders', trader, 11)).toThrow('Too Many Requests')
  expect(asked.answerHeaders).toMatchObject({ RateLimit: '"orders";r=10;t=10', 'Retry-After': '10' })
  gateway.countItems('placeOrders', trader, 10)
})
