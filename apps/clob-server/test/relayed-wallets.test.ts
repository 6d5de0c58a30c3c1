import { loginTypedData } from '@augury/signing/login'
import { createProxyTypedData, proxyWalletOf } from '@augury/signing/proxy-wallet'
import type { PrivateKeyAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { Caller, send } from './caller.ts'
import { funded, registerMarket } from './market.ts'
import { runningServer, wallets } from './running-server.ts'

const OPERATOR_ADDRESSES = `${wallets.operator.address},${wallets.carol.address}`
const running = await runningServer({ OPERATOR_ADDRESSES, REQUIRE_PROXY_WALLET: '1' })
const carol = await Caller.of(running.url, wallets.carol, 'operator')
const market = await registerMarket(running, 'relayed-wallets')

const signed = (owner: PrivateKeyAccount, chainId = running.settings.chainId) => owner.signTypedData(createProxyTypedData(chainId))
const relay = (owner: string, signature: string, caller = carol) => caller.call('POST', '/operator/wallets', { owner, signature })
const order = () => ({ tokenId: market.yes, side: 'BUY', orderType: 'GTC', price: '0.1', size: '5' })

test('who signed for a proxy wallet trades once a deployment handed that on, and not before', async () => {
  const alice = await funded(running.url, wallets.alice, '10')
  const refused = await alice.call('POST', '/order', order())
  expect([refused.status, refused.body]).toEqual([403, { error: 'Deploy your proxy wallet before trading', code: 'proxy_wallet_missing' }])
  const wallet = { address: proxyWalletOf(wallets.alice.address), owner: wallets.alice.address, signature_type: 2 }
  const signature = await signed(wallets.alice)
  expect((await relay(wallets.alice.address, signature)).body).toEqual(wallet)
  expect((await relay(wallets.alice.address.toLowerCase(), signature.toUpperCase().replace('0X', '0x'))).body).toEqual(wallet)
  expect((await alice.call('GET', '/auth/wallets')).body).toEqual({ wallets: [wallet] })
  expect((await alice.call('POST', '/order', order())).status).toBe(200)
})

test('nothing is registered for whom it was not signed', async () => {
  const { bob } = wallets
  for (const signature of [await signed(wallets.alice), await signed(bob, 1), `0x${'11'.repeat(65)}`])
    expect(await relay(bob.address, signature)).toMatchObject({ status: 400, body: { code: 'bad_proxy_signature' } })
  const self = await Caller.of(running.url, bob)
  expect((await relay(bob.address, await signed(bob), self)).body.code).toBe('insufficient_scope')
  expect((await self.call('GET', '/auth/wallets')).body).toEqual({ wallets: [] })
})

/** Registers an address as a wallet of the signer. */
async function claim(owner: PrivateKeyAccount, address: string, kind: number) {
  const path = `/auth/wallets/${address}/${kind}`
  const timestamp = String(Math.floor(Date.now() / 1000))
  const login = { chainId: running.settings.chainId, address: owner.address, host: new URL(running.url).host, method: 'POST' as const }
  const signature = await owner.signTypedData(loginTypedData({ ...login, path, timestamp, nonce: 0n }))
  const headers = { SVC_ADDRESS: owner.address, SVC_TIMESTAMP: timestamp, SVC_NONCE: '0', SVC_SIGNATURE: signature }
  return send(running.url, 'POST', path, undefined, headers)
}

test('an earlier claim of another account’s proxy wallet ends', async () => {
  const { bob, operator } = wallets
  const address = proxyWalletOf(bob.address)
  expect((await claim(operator, address, 1)).status).toBe(200)
  expect((await relay(bob.address, await signed(bob))).body).toMatchObject({ address, owner: bob.address, signature_type: 2 })
  const venue = await Caller.of(running.url, operator, 'venue')
  expect((await venue.call('GET', '/auth/wallets')).body).toEqual({ wallets: [] })
})

test('an owner registers the own proxy wallet by a login alone, also if another account claimed it before', async () => {
  const { carol: owner, operator } = wallets
  const address = proxyWalletOf(owner.address)
  expect((await claim(operator, address, 2)).status).toBe(200)
  expect((await claim(owner, address, 2)).body).toEqual({ address, owner: owner.address, signature_type: 2 })
  expect((await claim(operator, address, 2)).body.code).toBe('wallet_taken')
})
