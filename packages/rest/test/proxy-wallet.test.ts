import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { workerScheduler } from '@augury/platform/authorization/scheduler'
import { runJob } from '@augury/platform/jobs/run-job'
import { getFunds } from '@augury/platform/portfolio/funds'
import { signProxyWallet } from '@augury/platform/proxy-wallet/manage-proxy-wallet'
import { proxyWalletsJob } from '@augury/platform/sync/proxy-wallets'
import { createProxyTypedData, proxyWalletOf, SAFE_CONTRACTS } from '@augury/signing/proxy-wallet'
import type { PrivateKeyAccount } from 'viem/accounts'
import { afterAll, expect, test } from 'vitest'
import { memberOn } from './as-member.ts'
import { Browser, walletOf } from './browser.ts'
import { enable, fund, tradingSite } from './exchange.ts'

const at = await tradingSite({ REQUIRE_PROXY_WALLET: '1' })
let wallets = 6000
const member = async () => {
  const browser = new Browser(at)
  const wallet = walletOf(++wallets)
  await browser.signIn(wallet)
  return { browser, wallet }
}
const signed = async (wallet: PrivateKeyAccount, chainId = 80002) => ({
  signature: await wallet.signTypedData(createProxyTypedData(chainId)),
})
const sign = async ({ browser, wallet }: Awaited<ReturnType<typeof member>>) => browser.post('/api/proxy-wallet', await signed(wallet))
const sync = (rpcUrl: string | null = null) =>
  runJob(at.site, workerScheduler('test'), proxyWalletsJob(at.site.exchange.operator, { ...at.site.settings, rpcUrl }))
const statusOf = async (browser: Browser) => (await browser.get('/api/proxy-wallet')).body.proxy_wallet_status

test('its address is known before deployment; the owner may trade once they signed for it, and not before', async () => {
  const { browser, wallet } = await member()
  const view = {
    ...{ proxy_wallet_address: proxyWalletOf(wallet.address), proxy_wallet_tx_hash: null, chain_id: 80002 },
    factory: SAFE_CONTRACTS.safeProxyFactory,
  }
  const before = { ...view, proxy_wallet_status: 'not_started', proxy_wallet_signed_at: null }
  expect((await browser.get('/api/proxy-wallet')).body).toEqual(before)
  await fund(at, wallet.address, '10')
  await enable(browser, wallet)
  const order = { tokenId: at.markets.rain.yes, side: 'BUY', orderType: 'GTC', price: '0.1', size: '10' }
  const [refused, uncancelled] = [
    await browser.post('/api/orders', order),
    await browser.call('DELETE', `/api/orders/0x${'12'.repeat(32)}`),
  ]
  for (const { status, body } of [refused, uncancelled])
    expect([status, body.error, body.code]).toEqual([403, 'Deploy your proxy wallet before trading', 'proxy_wallet_missing'])

  const after = { ...view, proxy_wallet_status: 'signed', proxy_wallet_signed_at: at.site.now().toISOString() }
  const answer = await sign({ browser, wallet })
  expect([answer.status, answer.body]).toEqual([200, after])
  expect((await sign({ browser, wallet })).body).toEqual(after)
  expect((await browser.get('/api/auth/session')).body).toMatchObject({
    ...{ proxy_wallet_address: view.proxy_wallet_address, proxy_wallet_status: 'signed' },
    proxy_wallet_signature: (await signed(wallet)).signature,
  })
  expect((await browser.post('/api/orders', order)).status).toBe(200)
})

test('a signature for another chain, by another wallet or invalid deploys nothing', async () => {
  const { browser, wallet } = await member()
  for (const body of [await signed(wallet, 1), await signed(walletOf(1)), { signature: `0x${'11'.repeat(65)}` }])
    expect(await browser.post('/api/proxy-wallet', body)).toMatchObject({ status: 400, body: { code: 'bad_proxy_signature' } })
  for (const body of [{}, { signature: '0x' }, { ...(await signed(wallet)), proxy_wallet_address: wallet.address }])
    expect(await browser.post('/api/proxy-wallet', body)).toMatchObject({ status: 400, body: { code: 'invalid_payload' } })
  expect(await statusOf(browser)).toBe('not_started')
})

/** A node of these answers, by method. */
async function node(answer: (method: string) => string): Promise<string> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      const { id, method } = JSON.parse(Buffer.concat(chunks).toString())
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ jsonrpc: '2.0', id, result: answer(method) }))
    })
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  afterAll(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('without a settler the code at its address decides; too long responses of the node are ignored, and so is a node of another chain', async () => {
  await at.rows(`update users set proxy_wallet_status = 'deployed' where proxy_wallet_status = 'deploying'`) // of other tests
  const { wallet } = await member()
  const stored = async () => {
    const [row] = await at.rows('select proxy_wallet_status as status from users where address = ?', [wallet.address.toLowerCase()])
    return row?.status
  }
  let [code, chain] = ['0x', '0x13882']
  const rpcUrl = await node((method) => (method === 'eth_chainId' ? chain : code))
  await at.rows(
    `update users set proxy_wallet_address = ?, proxy_wallet_signature = ?, proxy_wallet_signed_at = ?, proxy_wallet_status = 'signed' where address = ?`,
    [proxyWalletOf(wallet.address).toLowerCase(), (await signed(wallet)).signature, at.site.now(), wallet.address.toLowerCase()],
  )
  expect(await sync(rpcUrl)).toMatchObject({ success: true, wallets: 1, errors: 0 })
  expect(await stored()).toBe('deploying')
  code = `0x${'60'.repeat(5000)}`
  expect(await sync(rpcUrl)).toMatchObject({ errors: 1 })
  expect(await at.rows('select job_name from sync_failure')).toEqual([{ job_name: 'proxy_wallets' }])
  expect(await stored()).toBe('deploying')
  code = '0x6080'
  for (chain of ['0x89', '0x1', 'no chain'])
    expect([await sync(rpcUrl), await stored()]).toEqual([expect.objectContaining({ errors: 1 }), 'deploying'])
  chain = '0x13882'
  expect(await sync(rpcUrl)).toMatchObject({ wallets: 1, errors: 0 })
  expect(await at.rows('select job_name from sync_failure')).toEqual([])
  expect(await stored()).toBe('deployed')
})

test('with a settler the signature asks for the contract, and the settler says when it is there; in production it pays for members with money alone', async () => {
  const [rich, poor] = [await member(), await member()]
  const settings = { ...at.site.settings, settlement: 'chain', rpcUrl: 'http://127.0.0.1:9' } as const
  const viewOf = async ({ browser, wallet }: typeof rich, mode: 'sandbox' | 'production') => {
    const site = { ...at.site, settings: { ...settings, mode } }
    return signProxyWallet(site, await memberOn(at, browser), { body: await signed(wallet) })
  }
  const asked = ({ wallet }: typeof rich) =>
    at.rows('select state, signature from chain.wallet where owner = ?', [wallet.address.toLowerCase()])
  const says = (state: string, transaction: string) =>
    at.rows('update chain.wallet set state = ?, transaction = ? where owner = ?', [state, transaction, rich.wallet.address.toLowerCase()])

  const hash = `0x${'5a'.repeat(32)}`
  expect(await viewOf(rich, 'sandbox')).toMatchObject({ proxy_wallet_status: 'deploying', proxy_wallet_tx_hash: null })
  expect(await asked(rich)).toEqual([{ state: 'asked', ...(await signed(rich.wallet)) }])
  await says('sent', hash)
  expect(await viewOf(rich, 'sandbox')).toMatchObject({ proxy_wallet_status: 'deploying', proxy_wallet_tx_hash: null })
  await says('deployed', hash)
  expect(await viewOf(rich, 'sandbox')).toMatchObject({ proxy_wallet_status: 'deployed', proxy_wallet_tx_hash: hash })

  expect(await viewOf(poor, 'production')).toMatchObject({ proxy_wallet_status: 'deploying' })
  expect(await asked(poor)).toEqual([])
  expect((await poor.browser.get('/api/proxy-wallet')).body.proxy_wallet_status).toBe('signed') // of a site without a settler
})

test('enabling trading says whether a proxy wallet is still missing', async () => {
  const { browser, wallet } = await member()
  const saved = await enable(browser, wallet)
  expect(saved.body).toMatchObject({ usable: true, proxy_wallet_missing: true })
  expect((await sign({ browser, wallet })).body.proxy_wallet_status).toBe('signed')
  expect((await enable(browser, wallet)).body).toMatchObject({ usable: true, proxy_wallet_missing: false })
})

test('a member who enabled trading before the wallet was required cannot trade until they sign, and gets the reason', async () => {
  const { browser, wallet } = await member()
  await fund(at, wallet.address, '10')
  await enable(browser, wallet)
  const funds = async () => getFunds(at.site, await memberOn(at, browser))
  expect(await funds()).toMatchObject({ usable: false, cash: { available: '10000000' } })
  await sign({ browser, wallet })
  expect(await funds()).toMatchObject({ usable: true, cash: { available: '10000000' } })
})

test('an exchange that lost a registered wallet gets it again when trading is enabled', async () => {
  const { browser, wallet } = await member()
  await enable(browser, wallet)
  const { address } = wallet
  await at.rows(
    `update users set proxy_wallet_address = ?, proxy_wallet_signature = ?, proxy_wallet_signed_at = ?, proxy_wallet_status = 'deploying' where address = ?`,
    [proxyWalletOf(address).toLowerCase(), (await signed(wallet)).signature, at.site.now(), address.toLowerCase()],
  )
  expect((await enable(browser, wallet)).body).toMatchObject({ proxy_wallet_missing: false })
})

test('signed for while the exchange is unavailable, it is made once that is back', async () => {
  const waiting = await member()
  await at.stopExchange()
  expect((await sign(waiting)).body.proxy_wallet_status).toBe('signed')
  expect(await sync()).toMatchObject({ errors: 1 })
  expect(await statusOf(waiting.browser)).toBe('signed')
  expect(at.bugs).toEqual([])
})
