import { loginTypedData } from '@augury/signing/login'
import { auguryOrderDomain } from '@augury/signing/order-domains'
import { type OrderFields, orderTypedData } from '@augury/signing/order-fields'
import { proxyWalletOf } from '@augury/signing/proxy-wallet'
import type { Hex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { describe, expect, onTestFinished, test } from 'vitest'
import { Caller, type Reply, send } from './caller.ts'
import { fund, funded, registerMarket } from './market.ts'
import { type RunningServer, runningServer, wallets } from './running-server.ts'

const running = await runningServer()
const market = await registerMarket(running, 'wallets')
const alice = await Caller.of(running.url, wallets.alice)
await Caller.of(running.url, wallets.bob)

const safe: Hex = '0x5afe5afe5afe5afe5afe5afe5afe5afe5afe5afe'
const proxy: Hex = '0x9999999999999999999999999999999999999999'

/** Registers a wallet in the owner's name; `signedPath` is what the owner saw. */
async function register(server: RunningServer, owner: PrivateKeyAccount, address: Hex, kind: number, signedPath?: string): Promise<Reply> {
  const path = `/auth/wallets/${address}/${kind}`
  const timestamp = String(Math.floor(Date.now() / 1000))
  const login = { chainId: server.settings.chainId, address: owner.address, host: new URL(server.url).host, method: 'POST' as const }
  const signature = await owner.signTypedData(loginTypedData({ ...login, path: signedPath ?? path, timestamp, nonce: 0n }))
  const headers = { SVC_ADDRESS: owner.address, SVC_TIMESTAMP: timestamp, SVC_NONCE: '0', SVC_SIGNATURE: signature }
  return send(server.url, 'POST', path, undefined, headers)
}

const EMPTY = `0x${'00'.repeat(32)}` as const
let salts = 1

/** A BUY of 10 shares at 0.42, made by a wallet and signed by Alice. */
async function order(maker: Hex, signatureType: number, signer: Hex = wallets.alice.address) {
  const fields = {
    ...{ salt: String(salts++), maker, signer, tokenId: market.yes, makerAmount: '4200000', takerAmount: '10000000', side: 'BUY' },
    ...{ signatureType, timestamp: String(Date.now()), metadata: EMPTY, builder: EMPTY },
  } as unknown as OrderFields
  const signature = await wallets.alice.signTypedData(orderTypedData(fields, auguryOrderDomain(running.settings.chainId)) as never)
  const body = { order: { ...fields, salt: Number(fields.salt), expiration: '0', signature }, owner: alice.key.key, orderType: 'GTC' }
  return alice.call('POST', '/order', body)
}

test('an order of an unregistered wallet is refused', async () => {
  const reply = await order(safe, 2)
  expect([reply.status, reply.body]).toEqual([403, { error: 'Deploy your proxy wallet before trading', code: 'proxy_wallet_missing' }])
})

test('a registered wallet is another name of its owner’s account: for money, orders and trades', async () => {
  const registered = await register(running, wallets.alice, safe, 2)
  expect([registered.status, registered.body]).toEqual([
    200,
    { address: expect.stringMatching(/^0x5afe/i), owner: wallets.alice.address, signature_type: 2 },
  ])
  expect((await register(running, wallets.alice, safe, 2)).status).toBe(200)
  await fund(running.url, safe, '100')
  expect((await alice.cash()).balance).toBe('100000000')
  const placed = await order(safe, 2)
  expect([placed.status, placed.body.state]).toEqual([200, 'live'])
  const { body } = await alice.call('GET', `/data/orders?maker=${safe}`)
  expect(body.data).toMatchObject([{ maker_address: registered.body.address, state: 'live' }])
  const operator = await Caller.of(running.url, wallets.operator, 'venue')
  const deposit = await operator.call('POST', '/operator/deposits', { address: safe, amount: '5000000', ref: 'to-a-wallet' })
  expect(deposit.body.balance).toBe('100.8') // 4.2 wait in the order
  expect((await operator.call('PUT', `/operator/accounts/${safe}`, { tier: 'maker' })).body).toMatchObject({
    address: wallets.alice.address,
    tier: 'maker',
  })
  const bob = await funded(running.url, wallets.bob, '100')
  await bob.call('POST', '/order', { tokenId: market.no, side: 'BUY', orderType: 'GTC', price: '0.58', size: '10' })
  await alice.call('GET', '/data/trades')
  expect((await send(running.url, 'GET', `/trades?user=${safe}`)).body.data).toHaveLength(1)
  expect((await alice.call('GET', '/auth/wallets')).body.wallets).toHaveLength(1)
  const events = async (caller: Caller) => (await caller.call('GET', `/events?after=0&account=${safe}`)).body.data
  expect(await events(operator)).toEqual((await alice.call('GET', '/events?after=0')).body.data)
  expect(await events(alice)).toMatchObject([{ type: 'PLACEMENT' }, { event_type: 'trade' }, { type: 'UPDATE' }])
})

test('it stays so in a server that starts again', async () => {
  await running.restart()
  expect((await order(safe, 2)).status).toBe(200)
})

describe('refused is', () => {
  test('another account’s wallet, or one of another kind', async () => {
    const asBob = await register(running, wallets.bob, safe, 2)
    const asKind = await register(running, wallets.alice, safe, 1)
    expect([asBob.body.code, asKind.body.code]).toEqual(['wallet_taken', 'wallet_taken'])
    expect((await order(safe, 1)).body.code).toBe('signer_mismatch')
    await register(running, wallets.bob, proxy, 1)
    expect((await order(proxy, 1)).body.code).toBe('signer_mismatch')
  })

  test('an account as a wallet, its own or of others', async () => {
    const own = await register(running, wallets.alice, wallets.alice.address, 1)
    const others = await register(running, wallets.alice, wallets.bob.address, 1)
    await fund(running.url, '0x7777777777777777777777777777777777777777', '1')
    const rich = await register(running, wallets.alice, '0x7777777777777777777777777777777777777777', 1)
    expect([own.body.code, others.body.code, rich.body.code]).toEqual(Array(3).fill('wallet_taken'))
  })

  test('a registration whose signature names another wallet or kind', async () => {
    const path = `/auth/wallets/${safe}/2`
    const reply = await register(running, wallets.alice, '0x1234512345123451234512345123451234512345', 2, path)
    expect([reply.status, reply.body.code]).toEqual([401, 'bad_signature'])
    expect((await register(running, wallets.alice, proxy, 4)).status).toBe(400)
  })
})

/** Until the end of a test, its money is real. */
function inProduction(): void {
  const { settings } = running.server.edge.context
  Object.assign(settings, { sandbox: false })
  onTestFinished(() => void Object.assign(settings, { sandbox: true }))
}

test('real money of a wallet that is only claimed goes nowhere until its owner is proven; that of a proxy wallet is its owner’s', async () => {
  inProduction()
  const operator = await Caller.of(running.url, wallets.operator, 'venue')
  const { address: owner } = wallets.alice
  const before = (await alice.cash()).balance
  const move = (what: 'deposits' | 'withdrawals', address: Hex) =>
    operator.call('POST', `/operator/${what}`, { address, amount: '1000000', ref: `${what}-of-${address}` })
  for (const what of ['deposits', 'withdrawals'] as const) {
    const refused = { status: 409, body: { code: 'wallet_taken', details: { claimed_by: owner } } }
    expect(await move(what, safe)).toMatchObject(refused)
  }
  expect((await alice.cash()).balance).toBe(before)
  const derived = proxyWalletOf(owner)
  expect((await register(running, wallets.alice, derived, 1)).status).toBe(200)
  for (const _ of ['once', 'again']) expect((await move('deposits', derived)).body).toMatchObject({ status: 'deposited' })
  expect((await alice.cash()).balance).toBe(String(Number(before) + 1_000_000))
})

test('a claim ends when the claimed address signs, and later credits go to that address', async () => {
  inProduction()
  const claimed = await register(running, wallets.alice, wallets.carol.address, 1)
  expect(claimed.status).toBe(200)
  const operator = await Caller.of(running.url, wallets.operator, 'venue')
  const deposit = { address: wallets.carol.address, amount: '2000000', ref: 'to-carol' }
  expect((await operator.call('POST', '/operator/deposits', deposit)).body.code).toBe('wallet_taken')
  await Caller.of(running.url, wallets.carol)
  expect((await operator.call('POST', '/operator/deposits', deposit)).body).toMatchObject({ status: 'deposited', balance: '2' })
  const carol = await Caller.of(running.url, wallets.carol)
  expect((await carol.cash()).balance).toBe('2000000')
  expect((await order(wallets.carol.address, 1)).body.code).toBe('proxy_wallet_missing')
})

test('where wallets are required, no account trades without one', async () => {
  const strict = await runningServer({ REQUIRE_PROXY_WALLET: '1' }, onTestFinished)
  const there = await registerMarket(strict, 'strict') // who manages the venue needs none
  const trader = await Caller.of(strict.url, wallets.alice)
  await fund(strict.url, wallets.alice.address, '100')
  const bid = { tokenId: there.yes, side: 'BUY', orderType: 'GTC', price: '0.4', size: '10' }
  const refused = [await trader.call('POST', '/order', bid), await trader.call('DELETE', '/order', { orderId: '0x12' })]
  const text = 'Deploy your proxy wallet before trading'
  expect(refused.map(({ status, body }) => [status, body.error])).toEqual(Array(2).fill([403, text]))
  for (const reply of [refused[1]!, await trader.call('DELETE', '/orders/0x12')])
    expect(reply.body).toMatchObject({ code: 'proxy_wallet_missing', canceled: [], not_canceled: { '0x12': text } })
  expect((await trader.call('DELETE', '/cancel-all')).status).toBe(200)
  await register(strict, wallets.alice, safe, 2)
  expect((await trader.call('POST', '/order', bid)).status).toBe(200)
})

test('an account has at most ten wallets, also where many are registered at once', async () => {
  const addresses = Array.from({ length: 15 }, (_, n): Hex => `0x${(0xabc0 + n).toString(16).padStart(40, '1')}`)
  const replies = await Promise.all(addresses.map((address) => register(running, wallets.carol, address, 2)))
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(10)
  expect(replies.filter(({ body }) => body.code === 'too_many_wallets')).toHaveLength(5)
})
