import { workerScheduler } from '@augury/platform/authorization/scheduler'
import { runJob } from '@augury/platform/jobs/run-job'
import { affiliatesJob } from '@augury/platform/sync/affiliates'
import { auguryOrderDomain } from '@augury/signing/order-domains'
import { type OrderFieldsV2, orderTypedData } from '@augury/signing/order-fields'
import { createProxyTypedData, proxyWalletOf } from '@augury/signing/proxy-wallet'
import type { PrivateKeyAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { Browser, walletOf } from './browser.ts'
import { enable, enabling, fund, tradingSite } from './exchange.ts'

const at = await tradingSite()
const { rain } = at.markets
const { exchange: operator } = await at.site.exchange.operator()
await at.rows('insert into admin_wallet (address, created_at) values (?, now())', [walletOf(7700).address.toLowerCase()])
const admin = new Browser(at)
await admin.signIn(walletOf(7700))
const member = new Browser(at)
await member.signIn(walletOf(7703))
await fund(at, walletOf(7703).address, '1000')
expect((await enable(member, walletOf(7703))).status).toBe(200)

const name = (feeRecipientWallet: string) => admin.call('PUT', '/admin/api/settings/general', { feeRecipientWallet })
const cash = async (client: typeof operator) => Number((await client.getBalance({ query: { asset_type: 'COLLATERAL' } })).available)

/** A client of the exchange with a key created there directly, not through the deployment. */
async function alone(wallet: PrivateKeyAccount, money?: string) {
  if (money) await fund(at, wallet.address, money)
  const { address, timestamp, nonce, signature } = await enabling(member, wallet)
  const headers = { svc_address: address!, svc_timestamp: timestamp!, svc_nonce: nonce!, svc_signature: signature! }
  const { apiKey: key, secret, passphrase } = await (await fetch(`${at.clobUrl}/auth/api-key`, { method: 'POST', headers })).json()
  return at.site.exchange.as({ address: wallet.address, key, secret, passphrase })
}
const [maker, direct] = [await alone(walletOf(7701), '1000'), await alone(walletOf(7702), '1000')]
const [first, second] = [walletOf(7704), walletOf(7705)]
const parties = { operator, first: await alone(first), second: await alone(second) }

let size = 7
/** Buys a few more shares at 41 ¢ from a resting order. Returns what each party got, and the taker's fee computed by hand, in millionths. */
async function bought(buy: (order: { tokenId: string; price: string; size: string }) => Promise<unknown>) {
  const shares = String(++size)
  const before = await Promise.all(Object.values(parties).map(cash))
  await maker.placeOrder({ body: { tokenId: rain.no, side: 'BUY', orderType: 'GTC', price: '0.59', size: shares } })
  await buy({ tokenId: rain.yes, price: '0.41', size: shares })
  const after = await Promise.all(Object.values(parties).map(cash))
  const got = Object.keys(parties).map((party, i) => [party, after[i]! - before[i]!])
  return { fee: Math.round((400 * size * 100 * 4100 * 5900) / 1e8), got: Object.fromEntries(got) }
}
const here = { side: 'BUY', orderType: 'FOK' } as const
const byMember = (order: object) =>
  member.post('/api/orders', { ...here, ...order }).then(({ body }) => expect(body).toMatchObject({ state: 'filled' }))
const byKey = (order: { tokenId: string; price: string; size: string }) => direct.placeOrder({ body: { ...here, ...order } })

test("without a recipient the deployment's wallet gets the taker fees", async () => {
  const { fee, got } = await bought(byMember)
  expect(fee).toBe(77_408) // 8 × 0.41 × 0.59 × 4 %
  expect(got).toEqual({ operator: fee, first: 0, second: 0 })
})

test('once the setting names a recipient, it gets every fee of the deployment, to the millionth', async () => {
  expect((await name(first.address)).status).toBe(200)
  for (const _ of [1, 2, 3]) {
    const { fee, got } = await bought(byMember)
    expect(got).toEqual({ operator: 0, first: fee, second: 0 })
  }
})

test('including those of wallet-signed orders sent with a key of the deployment', async () => {
  const wallet = walletOf(7706)
  await fund(at, wallet.address, '1000')
  const { set: _, ...login } = await enabling(member, wallet)
  const { apiKey, secret, passphrase } = await operator.relayKey({ body: login as never })
  const client = at.site.exchange.as({ address: wallet.address, key: apiKey, secret, passphrase })
  const none = `0x${'00'.repeat(32)}` as const
  const { fee, got } = await bought(async ({ tokenId, size: shares }) => {
    const order: OrderFieldsV2 = {
      ...{ salt: '77', maker: wallet.address, signer: wallet.address, tokenId },
      side: 'BUY',
      signatureType: 0,
      ...{ makerAmount: String(Number(shares) * 410_000), takerAmount: String(Number(shares) * 1_000_000) },
      ...{ timestamp: String(Date.now()), metadata: none, builder: none },
    }
    const signature = await wallet.signTypedData(orderTypedData(order, auguryOrderDomain(80002)) as never)
    const body = { order: { ...order, expiration: '0', signature }, owner: apiKey, orderType: 'GTC' as const }
    expect(await client.placeOrder({ body })).toMatchObject({ state: 'filled' })
  })
  expect(got).toEqual({ operator: 0, first: fee, second: 0 })
})

test("orders sent to the exchange directly pay the market's creator", async () => {
  const { fee, got } = await bought(byKey)
  expect(got).toEqual({ operator: fee, first: 0, second: 0 })
})

test('changing, undoing and clearing the recipient apply at once; a contract wallet stands for its owner', async () => {
  const signature = await second.signTypedData(createProxyTypedData(80002))
  await operator.relayWallet({ body: { owner: second.address.toLowerCase() as `0x${string}`, signature } })
  expect((await name(proxyWalletOf(second.address))).status).toBe(200)
  const named = await bought(byMember)
  expect(named.got).toEqual({ operator: 0, first: 0, second: named.fee })
  const [{ id } = {}] = (await admin.get('/admin/api/audit-log')).body.data
  expect((await admin.post(`/admin/api/audit-log/${id}/undo`)).body).toEqual({ success: true })
  const undone = await bought(byMember)
  expect(undone.got).toEqual({ operator: 0, first: undone.fee, second: 0 })
  expect((await name('')).status).toBe(200)
  const emptied = await bought(byMember)
  expect(emptied.got).toEqual({ operator: emptied.fee, first: 0, second: 0 })
})

test('a change that reached only one of exchange and deployment is reconciled by the job', async () => {
  await operator.setFeeAccount({ body: { address: second.address.toLowerCase() as `0x${string}` } })
  expect(await runJob(at.site, workerScheduler('test'), affiliatesJob(at.site.exchange.operator))).toMatchObject({ success: true })
  const { fee, got } = await bought(byMember)
  expect(got).toEqual({ operator: fee, first: 0, second: 0 })
})

test('while the exchange is unavailable the recipient cannot be changed, and other settings can', async () => {
  await at.stopExchange()
  expect(await name(first.address)).toMatchObject({ status: 500, body: { success: false, code: 'service_unavailable' } })
  expect((await admin.get('/admin/api/settings/general')).body.data.values.feeRecipientWallet).toBe('')
  expect((await admin.call('PUT', '/admin/api/settings/general', { siteName: 'Delphi' })).status).toBe(200)
  expect(at.bugs).toEqual([])
})
