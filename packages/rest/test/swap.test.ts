import { createServer, type ServerResponse } from 'node:http'
import { lifi } from '@augury/platform/swap/lifi'
import { quoteSwap, swapOffer } from '@augury/platform/swap/quote-swap'
import { swapQuote as shape } from '@augury/wire/platform/swap'
import { ServiceError } from '@augury/wire/service-error'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { memberOn } from './as-member.ts'
import { Browser, walletOf } from './browser.ts'
import { testSite } from './test-site.ts'

/** A fake swap service that records its requests. */
type Answerer = (response: ServerResponse, params: URLSearchParams) => void
let answerer: Answerer = () => {}
let requests: { url: URL; key: string | undefined }[] = []
const server = createServer((request, response) => {
  const url = new URL(request.url!, 'http://swap.test')
  requests.push({ url, key: request.headers['x-lifi-api-key'] as string | undefined })
  answerer(response, url.searchParams)
})
await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const swapUrl = `http://127.0.0.1:${(server.address() as { port: number }).port}/v1`
const adminWallets = [walletOf(9700).address.toLowerCase() as `0x${string}`]
const at = await testSite({ mode: 'sandbox', adminWallets, swapUrl })
const admin = new Browser(at)
await admin.signIn(walletOf(9700))
const set = (body: unknown) => admin.call('PUT', '/admin/api/settings/swap', body)
const browser = new Browser(at)
await browser.signIn(walletOf(9701))
const member = await memberOn(at, browser)

const USDC = '0xaf88d065e77c8cc2239327c5edb3a432268e5831'
const COIN = `0x${'0'.repeat(40)}`
const ROUTER = `0x${'12'.repeat(20)}`
const query = { from_chain: 42161, from_token: USDC as `0x${string}`, amount: '25000000' }
const quote = (over: object = {}) => quoteSwap(at.site, member, { query: { ...query, ...over } })
const refused = (code: string) => expect.objectContaining({ code })

/** A valid response to a request, with changes by path. */
const good = (params: URLSearchParams, over: Readonly<Record<string, unknown>> = {}) => {
  const chainId = Number(params.get('fromChain'))
  const toChainId = Number(params.get('toChain'))
  const to = { address: `0x${'34'.repeat(20)}`, chainId: toChainId, symbol: 'USDC', decimals: 6 }
  const fromToken = { address: params.get('fromToken'), chainId, symbol: 'USDC', decimals: 6 }
  const answer = {
    tool: 'across',
    toolDetails: { name: 'Across' },
    action: {
      ...{ fromToken, toToken: to, fromAmount: params.get('fromAmount'), fromChainId: chainId, toChainId },
      toAddress: params.get('toAddress'),
    },
    estimate: {
      ...{ toAmount: '24950000', toAmountMin: '24850000', approvalAddress: ROUTER, executionDuration: 31.2 },
      ...{ feeCosts: [{ amountUSD: '0.05' }], gasCosts: [{ amountUSD: '0.011' }] },
    },
    transactionRequest: { to: ROUTER, chainId, data: '0xABCD', value: '0x0' },
  }
  for (const [path, value] of Object.entries(over)) {
    const keys = path.split('.')
    const last = keys.pop()!
    // biome-ignore lint/suspicious/noExplicitAny: walks a path in a response
    const parent = keys.reduce((object: any, key) => object[key], answer)
    parent[last] = value
  }
  return JSON.stringify(answer)
}

beforeEach(async () => {
  requests = []
  answerer = (response, wish) => void response.end(good(wish))
  await at.rows('delete from swap_request')
})

test('without an integrator nothing is offered, and the service is not called', async () => {
  expect(await swapOffer(at.site)).toEqual({ enabled: false, chains: [] })
  await expect(quote()).rejects.toEqual(refused('swap_missing'))
  expect(requests).toEqual([])
  expect((await set({ integrator: 'augury-test' })).status).toBe(200)
  const { enabled, chains } = await swapOffer(at.site)
  expect(enabled).toBe(true)
  expect(chains.map(({ id, tokens }) => [id, tokens.map(({ symbol }) => symbol)])).toContainEqual([137, ['USDC', 'POL']])
})

test("a quote is for the member's own wallet, and names the integrator", async () => {
  const answer = shape.parse(await quote())
  const [{ url, key } = { url: new URL('x:'), key: '' }] = requests
  const own = walletOf(9701).address
  expect(url.pathname).toBe('/v1/quote')
  expect(Object.fromEntries(url.searchParams)).toEqual({
    ...{ fromChain: '42161', toChain: '80002', fromToken: '0xaf88d065e77c8cC2239327C5EDb3A432268e5831', toToken: 'USDC' },
    ...{ fromAmount: '25000000', fromAddress: own, toAddress: own, integrator: 'augury-test' },
  })
  expect(key).toBeUndefined()
  expect(answer).toMatchObject({
    ...{ tool: 'Across', to_address: own, fees_usd: 0.06, seconds: 32 },
    from: { symbol: 'USDC', chain_id: 42161, amount: '25000000' },
    to: { symbol: 'USDC', chain_id: 80002, amount: '24950000', least: '24850000' },
    transaction: { chain_id: 42161, data: '0xabcd', value: '0' },
  })
})

test.each<[string, object, string]>([
  ['a chain that is not offered', { from_chain: 56 }, 'swap_token_unknown'],
  ['a token that is not offered', { from_token: `0x${'99'.repeat(20)}` }, 'swap_token_unknown'],
  ['a token of another chain', { from_chain: 1 }, 'swap_token_unknown'],
])('%s is refused without calling the service', async (_, over, code) => {
  await expect(quote(over)).rejects.toEqual(refused(code))
  expect(requests).toEqual([])
})

const OTHER = `0x${'66'.repeat(20)}`
test.each<[string, Readonly<Record<string, unknown>>]>([
  ['another recipient', { 'action.toAddress': OTHER }],
  ['another amount', { 'action.fromAmount': '1' }],
  ['another token', { 'action.fromToken.address': OTHER }],
  ['a transaction on another chain', { 'transactionRequest.chainId': 1 }],
  ['another chain to arrive on', { 'action.toChainId': 1 }],
  ['another token to arrive', { 'action.toToken.symbol': 'USDT' }],
  ['more at the least than is expected', { 'estimate.toAmountMin': '99950000' }],
  ['much less at the least than is expected', { 'estimate.toAmountMin': '22454999' }],
  ['nothing that arrives', { 'estimate.toAmount': '0', 'estimate.toAmountMin': '0' }],
  ['an amount that is no integer', { 'estimate.toAmount': '1.5' }],
  ['an address that is none', { 'transactionRequest.to': 'javascript:alert(1)' }],
  ['data that are none', { 'transactionRequest.data': '0x123' }],
  ['more coin beside the token than any bridge asks for', { 'transactionRequest.value': '20000000000000001' }],
  ['a negative fee', { 'estimate.feeCosts': [{ amountUSD: '-1' }] }],
])('a response with %s is refused', async (_, over) => {
  answerer = (response, wish) => void response.end(good(wish, over))
  await expect(quote()).rejects.toEqual(refused('swap_failed'))
})

test('the receiving token is checked by its address, not its name', async () => {
  const known = '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359'
  const account = { url: swapUrl, integrator: 'augury-test', apiKey: null, toChain: 137, loopback: true }
  const wish = { chain: 42161, token: USDC as `0x${string}`, amount: '25000000', from: walletOf(9701).address, to: walletOf(9702).address }
  await expect(lifi(account).quote(wish)).rejects.toEqual(refused('swap_failed'))
  answerer = (response, params) => void response.end(good(params, { 'action.toToken.address': known }))
  expect((await lifi(account).quote(wish)).to).toMatchObject({ address: known, chain_id: 137 })
})

test('a native coin is sent with the transaction, without an approval', async () => {
  answerer = (response, wish) => void response.end(good(wish, { 'transactionRequest.value': '0x17d7840' }))
  expect(await quote({ from_token: COIN })).toMatchObject({ approve: null, transaction: { value: '25000000' } })
  answerer = (response, wish) => void response.end(good(wish))
  await expect(quote({ from_token: COIN })).rejects.toEqual(refused('swap_failed'))
  answerer = (response, wish) => void response.end(good(wish, { 'transactionRequest.value': String(25_000_000n + 2n * 10n ** 16n + 1n) }))
  await expect(quote({ from_token: COIN })).rejects.toEqual(refused('swap_failed'))
})

test('a bridge fee in the native coin may be sent along with a token', async () => {
  answerer = (response, wish) => void response.end(good(wish, { 'transactionRequest.value': '0x470de4df820000' }))
  expect((await quote()).transaction.value).toBe(String(2n * 10n ** 16n))
})

test('names from the service are shown as plain text', async () => {
  answerer = (response, wish) => void response.end(good(wish, { 'toolDetails.name': '<script>\u202ealert(1)</script>\u0000' }))
  expect((await quote()).tool).toBe('<script>alert(1)</script>')
})

test.each<[string, Answerer, string]>([
  ['that there is no way', (response) => void response.writeHead(404).end('{"code":1002}'), 'swap_no_route'],
  ['that it was asked too often', (response) => void response.writeHead(429).end('{}'), 'rate_limited'],
  ['with a failure', (response) => void response.writeHead(500).end('{}'), 'swap_failed'],
  ['with a page', (response) => void response.end('<html></html>'), 'swap_failed'],
  ['by hanging up', (response) => void response.destroy(), 'swap_failed'],
  ['by sending elsewhere', (response) => void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(), 'swap_failed'],
  ['with more than anybody reads', (response) => void response.end('x'.repeat(600_000)), 'swap_failed'],
])('a service that answers %s', async (_, answer, code) => {
  answerer = answer
  await expect(quote()).rejects.toEqual(refused(code))
})

test('the deployment makes at most 200 requests in two hours, and with a key 200 a minute', async () => {
  const burst = async (many: number) => {
    const answers = await Promise.allSettled(Array.from({ length: many }, () => quote()))
    return answers.filter(({ status }) => status === 'fulfilled').length
  }
  await at.rows(`insert into swap_request (at) select ?::timestamptz from generate_series(1, 195)`, [at.site.now()])
  expect(await burst(9)).toBe(5)
  at.clock.advance(7_199_000)
  const error: unknown = await quote().catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(ServiceError)
  expect(error).toMatchObject({ code: 'rate_limited', retryAfter: 1 })
  at.clock.advance(1000)
  expect(await burst(1)).toBe(1)
  await admin.signIn(walletOf(9700))
  expect((await set({ apiKey: 'lifi-key-0123456789' })).body.data.secrets.apiKey).toMatchObject({ set: true, masked: '••••6789' })
  await at.rows('delete from swap_request')
  await at.rows(`insert into swap_request (at) select ?::timestamptz from generate_series(1, 199)`, [at.site.now()])
  requests = []
  expect(await burst(3)).toBe(1)
  expect(requests.map(({ key }) => key)).toEqual(['lifi-key-0123456789'])
  at.clock.advance(60_000)
  expect(await burst(1)).toBe(1)
})

test('a service without a public address is called only in a sandbox', async () => {
  const real = await testSite({ adminWallets, swapUrl })
  const there = new Browser(real)
  await there.signIn(walletOf(9700))
  await there.call('PUT', '/admin/api/settings/swap', { integrator: 'augury-test' })
  await expect(quoteSwap(real.site, await memberOn(real, there), { query })).rejects.toEqual(refused('swap_failed'))
  expect([requests, real.bugs]).toEqual([[], []])
})
