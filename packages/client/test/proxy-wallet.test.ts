import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { afterAll, expect, test } from 'vitest'
import { createApiKey, createTradingKey } from '../src/api-key.ts'
import { venueClient } from '../src/rest.ts'
import { exchangeWithMarket } from './exchange.ts'

const { url, close } = await exchangeWithMarket({ REQUIRE_PROXY_WALLET: '1' })
afterAll(close)

/** A wallet that counts its signatures. */
function counting(key: `0x${string}`) {
  const account = privateKeyToAccount(key)
  const wallet = {
    address: account.address,
    signatures: 0,
    signTypedData(data: Parameters<PrivateKeyAccount['signTypedData']>[0]) {
      wallet.signatures++
      return account.signTypedData(data)
    },
  }
  return wallet
}

test('where a proxy wallet is required, a trading key comes with one, and the wallet signs for it once', async () => {
  const wallet = counting(`0x${'71'.repeat(32)}`)
  const apiKey = await createTradingKey({ url, wallet })
  expect(wallet.signatures).toBe(2)
  const client = venueClient({ url, apiKey })
  expect((await client.listWallets()).wallets).toMatchObject([{ owner: wallet.address, signature_type: 2 }])
  await client.faucet({ body: { address: wallet.address, amount: '10' } })
  const { data } = await client.listSamplingMarkets()
  const tokenId = data[0]!.tokens[0]!.token_id
  const order = { tokenId, side: 'BUY', orderType: 'GTC', price: '0.1', size: '10' } as const
  expect(await client.placeOrder({ body: order })).toMatchObject({ state: 'live' })
  expect(await createTradingKey({ url, wallet })).toEqual(apiKey)
  expect(wallet.signatures).toBe(3)
})

test('a key alone registers nothing, and the balance says what is missing', async () => {
  const wallet = counting(`0x${'72'.repeat(32)}`)
  const client = venueClient({ url, apiKey: await createApiKey({ url, wallet }) })
  expect([wallet.signatures, await client.listWallets()]).toEqual([1, { wallets: [] }])
  const balance = () => client.getBalance({ query: { asset_type: 'COLLATERAL' } })
  expect(await balance()).toMatchObject({ proxy_wallet_missing: true })
  await createTradingKey({ url, wallet })
  expect(await balance()).not.toHaveProperty('proxy_wallet_missing')
})

test('a key that only reads needs none', async () => {
  const wallet = counting(`0x${'73'.repeat(32)}`)
  await createTradingKey({ url, wallet, scope: 'read' })
  expect(wallet.signatures).toBe(1)
})
