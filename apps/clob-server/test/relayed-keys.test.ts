import { loginTypedData } from '@augury/signing/login'
import type { PrivateKeyAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { Caller } from './caller.ts'
import { funded, registerMarket } from './market.ts'
import { runningServer, wallets } from './running-server.ts'

/** A deployment that did not create the market. */

const running = await runningServer({ OPERATOR_ADDRESSES: `${wallets.operator.address},${wallets.carol.address}` })
const carol = await Caller.of(running.url, wallets.carol, 'operator')

interface Change {
  seconds?: number
  host?: string
  path?: string
  chainId?: number
  nonce?: bigint
}

/** What a wallet signs and hands to a deployment. */
async function relayed(wallet: PrivateKeyAccount, change: Change = {}) {
  const timestamp = String(Math.floor(Date.now() / 1000) + (change.seconds ?? 0))
  const { nonce = 5n, host = new URL(running.url).host, path = '/auth/api-key', chainId = running.settings.chainId } = change
  const { address } = wallet
  const signature = await wallet.signTypedData(loginTypedData({ chainId, address, host, method: 'POST', path, timestamp, nonce }))
  return { address, timestamp, nonce: String(nonce), signature }
}
const relay = async (wallet: PrivateKeyAccount, change?: Change) => carol.call('POST', '/operator/api-keys', await relayed(wallet, change))

test('the fees of a key that a deployment relayed are the deployment’s, and those of the wallet’s own key the creator’s', async () => {
  const market = await registerMarket(running, 'relayed', { fee_rate_bps: 1000 })
  const { status, body } = await relay(wallets.alice)
  expect(status).toBe(200)
  expect((await relay(wallets.alice)).body).toEqual(body)
  const key = { address: wallets.alice.address, key: body.apiKey, secret: body.secret, passphrase: body.passphrase }
  const throughCarol = await Caller.with(running.url, key)
  const own = await funded(running.url, wallets.alice, '100')
  const bob = await funded(running.url, wallets.bob, '100')
  const creator = await Caller.of(running.url, wallets.operator, 'venue')
  const cash = async (caller: Caller) => (await caller.cash()).balance

  const order = { tokenId: market.yes, orderType: 'GTC', price: '0.5', size: '10' }
  for (const [trader, clientOrderId, deployments, creators] of [
    [throughCarol, 'one', '250000', '0'],
    [own, 'two', '250000', '250000'],
  ] as const) {
    await bob.call('POST', '/order', { ...order, tokenId: market.no, side: 'BUY', clientOrderId })
    expect((await trader.place({ ...order, side: 'BUY' })).state).toBe('filled')
    expect([await cash(carol), await cash(creator)]).toEqual([deployments, creators])
  }
})

test.each<[string, Change, string]>([
  ['signed too long ago', { seconds: -31 }, 'stale_login'],
  ['signed for later', { seconds: 32 }, 'stale_login'],
  ['for another exchange', { host: 'elsewhere.example' }, 'bad_login'],
  ['for another chain', { chainId: 1 }, 'bad_login'],
  ['for another request', { path: '/auth/derive-api-key' }, 'bad_login'],
])('a login %s is not handed on', async (_, change, code) => {
  const { status, body } = await relay(wallets.alice, change)
  expect([status, body.code]).toEqual([400, code])
})

test('a signature of another account, or another nonce, is refused', async () => {
  const signed = await relayed(wallets.alice)
  expect((await carol.call('POST', '/operator/api-keys', { ...signed, address: wallets.bob.address })).body.code).toBe('bad_login')
  expect((await carol.call('POST', '/operator/api-keys', { ...signed, nonce: '6' })).body.code).toBe('bad_login')
})

test('only operators relay, and never a key that manages the venue', async () => {
  const bob = await Caller.of(running.url, wallets.bob)
  const refused = await bob.call('POST', '/operator/api-keys', await relayed(wallets.alice))
  expect([refused.status, refused.body.code]).toEqual([403, 'insufficient_scope'])
  await Caller.of(running.url, wallets.operator, 'venue', 8n)
  expect((await relay(wallets.operator, { nonce: 8n })).body.code).toBe('scope_conflict')
})

test('a deployment names the referrer of the accounts it brought, and of no others', async () => {
  await relay(wallets.alice)
  const named = (address: string) => carol.call('PUT', `/operator/accounts/${address}`, { referrer: wallets.carol.address })
  expect((await named(wallets.alice.address)).body).toMatchObject({ address: wallets.alice.address, referrer: wallets.carol.address })
  expect(await named(wallets.bob.address)).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } })
})
