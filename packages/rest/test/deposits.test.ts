import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { depositAddressOf, depositorFactoryOf } from '@augury/contracts/deployment'
import { afterAll, expect, test } from 'vitest'
import { Browser, walletOf } from './browser.ts'
import { testSite } from './test-site.ts'

const VAULT = `0x${'a1'.repeat(20)}` as const
const TOKEN = `0x${'b2'.repeat(20)}` as const
const GENESIS = `0x${'c3'.repeat(32)}`
const FACTORY = depositorFactoryOf(VAULT).toLowerCase()
const hash = (byte: string) => `0x${byte.repeat(32)}`

/** A node of the chain: whether it answers, and whether the factory of deposit addresses is there. */
const node = { answers: true, hasFactory: false }
const server = createServer(async (request, response) => {
  if (!node.answers) return void request.destroy()
  const { id, method, params } = (await json(request)) as { id: number; method: string; params: [{ to?: string } | string] }
  const answers: Record<string, () => unknown> = {
    eth_chainId: () => '0x13882',
    eth_getBlockByNumber: () => ({ hash: GENESIS, number: '0x0', transactions: [] }),
    eth_getCode: () => (node.hasFactory && String(params[0]).toLowerCase() === FACTORY ? '0x60' : '0x'),
  }
  const result = answers[method]?.()
  response.setHeader('content-type', 'application/json').end(JSON.stringify({ jsonrpc: '2.0', id, result }))
}).listen(0, '127.0.0.1')
await new Promise((resolve) => server.once('listening', resolve))
afterAll(() => void server.close())

const chain = {
  settlement: 'chain' as const,
  vaultAddress: VAULT,
  collateralAddress: TOKEN,
  confirmations: 12,
  minDeposit: 2_000_000,
  chainExplorer: 'https://scan.test',
  chainName: 'Test chain',
  chainPublicRpc: 'https://rpc.test',
}
const at = await testSite({ ...chain, rpcUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
const ledger = await testSite()

let wallets = 7000
async function member(where = at) {
  const browser = new Browser(where)
  const wallet = walletOf(++wallets)
  await browser.signIn(wallet)
  return { browser, address: wallet.address, account: wallet.address.toLowerCase() }
}
const arrival = (account: string, amount: number, more: { transaction?: string; block?: number; confirmations?: number } = {}) =>
  at.rows('insert into chain.arrival (account, amount, transaction, block_number, confirmations) values (?, ?, ?, ?, ?)', [
    ...[account, amount, more.transaction ?? null, more.block ?? null, more.confirmations ?? 0],
  ])
const credited = (account: string, n: number, amount: number) =>
  at.rows(
    `insert into chain.deposit (n, account, sender, amount, total, block_number, block_hash, transaction, credited_at)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [n, account, account, amount, amount * n, 100 + n, hash('d4'), hash('e5'), at.site.now()],
  )

test('a deposit address is shown only once it is certain that it can be swept, and the settler watches it', async () => {
  const { browser, address, account } = await member()
  expect(await browser.get('/api/deposit-address')).toMatchObject({ status: 503, body: { code: 'chain_unavailable' } })
  node.answers = false
  expect(await browser.get('/api/deposit-address')).toMatchObject({ status: 503, body: { code: 'chain_unavailable' } })
  expect(await at.rows('select account from chain.address')).toEqual([])
  Object.assign(node, { answers: true, hasFactory: true })
  const { status, body } = await browser.get('/api/deposit-address')
  expect([status, body]).toEqual([
    200,
    {
      address: depositAddressOf(VAULT, address),
      chain_id: 80_002,
      network: 'Test chain',
      vault: expect.stringMatching(new RegExp(VAULT, 'i')),
      collateral: expect.stringMatching(new RegExp(TOKEN, 'i')),
      deposit_factory: depositorFactoryOf(VAULT),
      min_deposit: '2000000',
      confirmations: 12,
      rpc_url: 'https://rpc.test',
      explorer_url: 'https://scan.test',
      genesis_hash: GENESIS,
    },
  ])
  // What was seen once is not asked for again.
  node.answers = false
  expect((await browser.get('/api/deposit-address')).status).toBe(200)
  expect(await at.rows('select account from chain.address')).toEqual([{ account }])
})

test('a member sees only their own money, pending deposits before credited ones', async () => {
  const [{ browser, account }, other] = [await member(), await member()]
  expect((await browser.get('/api/deposits')).body).toEqual([])
  await credited(account, 1, 5_000_000)
  await credited(other.account, 2, 6_000_000)
  await credited(account, 3, 7_000_000)
  await arrival(account, 1_999_999)
  await arrival(account, 9_000_000, { transaction: hash('f6'), block: 120, confirmations: 4 })
  await arrival(other.account, 9_000_000)
  const shown = (await browser.get('/api/deposits')).body
  expect(
    shown.map(({ number, amount, state, confirmations, below_minimum, tx_hash, block }: Record<string, unknown>) => ({
      ...{ number, amount, state, confirmations, below_minimum, tx_hash, block },
    })),
  ).toEqual([
    { number: null, amount: '1999999', state: 'seen', confirmations: 0, below_minimum: true, tx_hash: null, block: null },
    { number: null, amount: '9000000', state: 'confirming', confirmations: 4, below_minimum: false, tx_hash: hash('f6'), block: 120 },
    { number: 3, amount: '7000000', state: 'credited', confirmations: 12, below_minimum: false, tx_hash: hash('e5'), block: 103 },
    { number: 1, amount: '5000000', state: 'credited', confirmations: 12, below_minimum: false, tx_hash: hash('e5'), block: 101 },
  ])
  expect(shown.every(({ needed }: { needed: number }) => needed === 12)).toBe(true)
  expect((await browser.get('/api/deposits?limit=1&offset=2')).body).toMatchObject([
    { number: 3, credited_at: at.site.now().toISOString() },
  ])
})

test('where money is kept by the ledger alone there is no deposit address, no deposit and no exit file', async () => {
  const { browser } = await member(ledger)
  for (const path of ['/api/deposit-address', '/api/exit-file'])
    expect(await browser.get(path)).toMatchObject({ status: 404, body: { code: 'no_chain' } })
  expect((await browser.get('/api/deposits')).body).toEqual([])
  expect((await browser.get('/api/chain')).body).toMatchObject({ settlement: 'ledger', place: null })
  expect((await new Browser(at).get('/api/chain')).body).toMatchObject({
    settlement: 'chain',
    place: { chain_id: 80_002, genesis_hash: GENESIS },
  })
})

test.each([
  ['the vault', VAULT, 'vault'],
  ['the token', TOKEN, 'collateral'],
  ['the factory of deposit addresses', FACTORY, 'deposit_factory'],
  ['an address with a mistyped letter', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD'.replace('5a', '5A'), 'checksum'],
])('money is not sent to %s', async (_, destination, reason) => {
  const { browser } = await member()
  const answer = await browser.post('/api/withdrawals', { amount: '1', destination })
  expect(answer).toMatchObject({ status: 400, body: { code: 'withdrawal_destination', details: { reason } } })
})

test('money is not sent to the member’s own deposit address, or to their proxy wallet before it is deployed', async () => {
  const { browser, address, account } = await member()
  const own = { amount: '1', destination: depositAddressOf(VAULT, address) }
  expect(await browser.post('/api/withdrawals', own)).toMatchObject({ body: { details: { reason: 'deposit_address' } } })
  const proxy = `0x${'d7'.repeat(20)}`
  const put = (status: string) =>
    at.rows(
      `update users set proxy_wallet_address = ?, proxy_wallet_status = ?, proxy_wallet_signature = ?, proxy_wallet_signed_at = ? where address = ?`,
      [proxy, status, hash('00'), at.site.now(), account],
    )
  await put('deploying')
  expect(await browser.post('/api/withdrawals', { amount: '1', destination: proxy })).toMatchObject({
    body: { details: { reason: 'proxy_wallet' } },
  })
})
