import { conditionRequest } from '@augury/testing/condition-request'
import { expect, test } from 'vitest'
import { send } from './caller.ts'
import { funded, limit, registerMarket } from './market.ts'
import { runningServer, wallets } from './running-server.ts'

const running = await runningServer()
const compat = `${running.url}/compat`
const inEvent = (slug: string, event: object) => {
  const { metadata } = conditionRequest(slug)
  return { metadata: { ...metadata, event: { ...metadata.event, ...event } } }
}
const market = await registerMarket(running, 'frost', inEvent('frost', { slug: 'winter', title: 'Winter' }))
await registerMarket(running, 'thaw', inEvent('thaw', { slug: 'winter', title: 'Winter' }))
await registerMarket(running, 'winter-games', inEvent('winter-games', { slug: 'games', title: 'Games of the winter' }))
const alice = await funded(running.url, wallets.alice, '100')
const bob = await funded(running.url, wallets.bob, '100')
await alice.call('POST', '/order', limit(market.yes, 'BUY', '0.4', '20'))
await bob.call('POST', '/order', limit(market.no, 'BUY', '0.6', '20'))
await bob.call('POST', '/order', limit(market.no, 'BUY', '0.5', '10')) // Yes costs 0.45 now
await alice.call('POST', '/order', limit(market.yes, 'BUY', '0.4', '10'))
await alice.call('GET', '/data/trades') // history has it now

const get = async (target: string) => (await send(compat, 'GET', target)).body

test('a profile says whose an address is and since when; an address without an account has none', async () => {
  const profile = await get(`/gamma/public-profile?address=${wallets.alice.address}`)
  expect(profile).toMatchObject({ proxyWallet: wallets.alice.address, name: '', displayUsernamePublic: false })
  expect(Date.now() - Date.parse(profile.createdAt)).toBeLessThan(3_600_000)
  expect(await get(`/profiles/${wallets.alice.address.toLowerCase()}`)).toEqual(profile)
  expect(await send(compat, 'GET', `/gamma/public-profile?address=${wallets.carol.address}`)).toMatchObject({ status: 404 })
})

test('positions of a market are those of everybody in each token, by what they gained', async () => {
  const [yes, no] = await get(`/v1/market-positions?market=${market.condition}`)
  expect([yes.token, no.token]).toEqual([market.yes, market.no])
  const facts = { asset: market.yes, conditionId: market.condition, outcome: 'Yes', outcomeIndex: 0, verified: false }
  expect(yes.positions).toMatchObject([
    { ...facts, proxyWallet: wallets.alice.address, size: 20, avgPrice: 0.4, currPrice: 0.45, currentValue: 9, cashPnl: 1, totalPnl: 1 },
  ])
  expect(no.positions).toMatchObject([{ proxyWallet: wallets.bob.address, cashPnl: -1, totalPnl: -1 }])
  const rows = async (query: string) => {
    const tokens = await get(`/v1/market-positions?market=${market.condition}&${query}`)
    return tokens.map(({ positions }: { positions: { proxyWallet: string }[] }) => positions.map(({ proxyWallet }) => proxyWallet))
  }
  expect(await rows(`user=${wallets.bob.address}&status=OPEN&sortBy=TOKENS`)).toEqual([[], [wallets.bob.address]])
  expect(await rows('status=CLOSED&sortBy=REALIZED_PNL&sortDirection=ASC')).toEqual([[], []])
  expect(await rows('offset=1&sortBy=CASH_PNL')).toEqual([[], []])
  expect(await get(`/v1/market-positions?market=0x${'0'.repeat(64)}`)).toEqual([])
})

test('the accounting of an account is a file of what it has, which adds up', async () => {
  const reply = await fetch(`${compat}/v1/accounting/snapshot?user=${wallets.alice.address}`)
  expect(reply.headers.get('content-type')).toBe('application/zip')
  const text = Buffer.from(await reply.arrayBuffer()).toString()
  expect(text.startsWith('PK')).toBe(true)
  expect(text).toMatch(new RegExp(`conditionId,asset,size,curPrice,valuationTime\n${market.condition},${market.yes},20,0.45,20`))
  expect(text).toMatch(/cashBalance,positionsValue,equity,valuationTime\n92,9,101,20/)
  const { body } = await send(running.url, 'GET', `/v1/accounting/snapshot?user=${wallets.alice.address}`)
  expect(body).toMatchObject({ positions: [{ size: 20 }], equity: { cashBalance: 92, positionsValue: 9, equity: 101 } })
})

test('events in pages that are counted say how many there are', async () => {
  const { data, pagination } = await get('/gamma/events/pagination?limit=1&order=id&ascending=false&closed=false')
  expect([data.map(({ slug }: { slug: string }) => slug), pagination]).toEqual([['games'], { hasMore: true, totalResults: 2 }])
  expect((await get('/gamma/events/pagination?limit=1&offset=1')).pagination).toEqual({ hasMore: false, totalResults: 2 })
  expect(await get('/gamma/status')).toBe('OK')
})

test('a search names the outcome that it matched, the closest title first', async () => {
  const { events } = await get('/gamma/public-search?q=winter')
  expect(events.map(({ slug }: { slug: string }) => slug)).toEqual(['winter', 'games'])
  expect(events.map(({ matchedOutcome }: { matchedOutcome: null }) => matchedOutcome)).toEqual([null, null])
  const found = await get('/gamma/public-search?q=thaw')
  expect(found.events).toMatchObject([{ slug: 'winter', matchedOutcome: { name: 'thaw', outcomeIndex: 0 } }])
  const page = await get('/gamma/public-search?q=winter&limit_per_type=1&page=2&search_profiles=true&cache=true')
  expect([page.events.map(({ slug }: { slug: string }) => slug), page.pagination]).toEqual([['games'], { hasMore: false, totalResults: 2 }])
})
