import { conditionRequest } from '@augury/testing/condition-request'
import { expect, test } from 'vitest'
import { Caller, send } from './caller.ts'
import { funded, limit, registerMarket } from './market.ts'
import { runningServer, wallets } from './running-server.ts'

const running = await runningServer()
const { url } = running
const venue = await Caller.of(url, wallets.operator, 'venue')
const alice = await funded(url, wallets.alice, '1000')
const bob = await funded(url, wallets.bob, '1000')

const get = async (path: string) => (await send(url, 'GET', path)).body
const metadataOf = (slug: string, hidden: boolean) => {
  const { metadata } = conditionRequest(slug)
  return { ...metadata, event: { ...metadata.event, hidden } }
}
const shown = await registerMarket(running, 'shown')
const veiled = await registerMarket(running, 'veiled')
for (const market of [shown, veiled]) {
  await alice.place(limit(market.yes, 'BUY', '0.4', '10'))
  await bob.place(limit(market.no, 'BUY', '0.6', '10'))
}
const hide = (hidden: boolean) =>
  venue.call('PATCH', `/operator/conditions/${veiled.condition}`, { metadata: metadataOf('veiled', hidden) })

/** The markets that a stranger finds, by list. */
const found = async () => {
  const ids = async (path: string, id: string, part?: string) => {
    const body = await get(path)
    return (part === undefined ? body : body[part]).map((row: Record<string, string>) => row[id])
  }
  return {
    markets: await ids('/markets', 'condition_id', 'data'),
    simplified: await ids('/simplified-markets', 'condition_id', 'data'),
    sampling: await ids('/sampling-markets', 'condition_id', 'data'),
    samplingSimplified: await ids('/sampling-simplified-markets', 'condition_id', 'data'),
    established: await ids('/compat/markets', 'condition_id', 'data'),
    trades: await ids('/trades', 'market', 'data'),
    large: await ids('/trades?min_usdc=1', 'market', 'data'),
    discovery: await ids('/gamma/markets?order=id&ascending=true', 'conditionId'),
    searched: (await get('/gamma/public-search?q=veiled')).events.map(({ slug }: { slug: string }) => slug),
  }
}
const listed = (ids: string[], trades: string[], searched: string[]) => {
  const every = { markets: ids, simplified: ids, sampling: ids, samplingSimplified: ids, established: ids, discovery: ids }
  return { ...every, trades, large: trades, searched }
}
const both = listed([shown.condition, veiled.condition], [veiled.condition, shown.condition], ['veiled-event'])

test('a hidden event is in no list and no search, answers by its ids, and is listed again once it is shown', async () => {
  expect(await found()).toEqual(both)
  await hide(true)
  expect(await found()).toEqual(listed([shown.condition], [shown.condition], []))
  const byId = [
    ...[`/markets/${veiled.condition}`, `/clob-markets/${veiled.condition}`, `/book?token_id=${veiled.yes}`],
    ...[`/trades?market=${veiled.condition}`, `/trades?asset_id=${veiled.yes}`, `/holders?market=${veiled.condition}`],
  ]
  expect(await Promise.all(byId.map(async (path) => (await send(url, 'GET', path)).status))).toEqual(byId.map(() => 200))
  expect((await get(`/trades?market=${veiled.condition}`)).data).toHaveLength(1)
  expect((await get(`/trades?asset_id=${veiled.no}`)).data).toHaveLength(1)
  expect((await get(`/markets/${veiled.condition}`)).event.hidden).toBe(true)
  const position = async () =>
    (await get(`/positions?user=${wallets.alice.address}&sizeThreshold=0`)).map((row: { slug: string }) => row.slug)
  expect((await position()).toSorted()).toEqual(['shown', 'veiled'])
  expect((await alice.place(limit(veiled.yes, 'BUY', '0.1', '10'))).state).toBe('live')
  await hide(false)
  expect(await found()).toEqual(both)
})

test('a server of our own lists hidden events too, as it keeps them up to date', async () => {
  await hide(true)
  await venue.call('PUT', `/operator/accounts/${wallets.bob.address}`, { tier: 'internal' })
  const listed = async (caller: Caller) => (await caller.call('GET', '/markets')).body.data.length
  const trades = async (caller: Caller) => (await caller.call('GET', '/trades')).body.data.length
  expect([await listed(bob), await listed(alice)]).toEqual([2, 1])
  expect([await trades(bob), await trades(alice)]).toEqual([2, 1])
  await hide(false)
})

test('a market that is registered hidden is not announced', async () => {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws/market`)
  const heard: string[] = []
  const both = Promise.withResolvers<void>()
  socket.onmessage = ({ data }) => {
    for (const message of [JSON.parse(String(data))].flat()) if (message.event_type === 'new_market') heard.push(message.slug)
    if (heard.includes('announced')) both.resolve()
  }
  await new Promise((resolve) => (socket.onopen = resolve))
  socket.send(JSON.stringify({ type: 'market', assets_ids: [shown.yes], custom_feature_enabled: true }))
  await registerMarket(running, 'unannounced', { metadata: metadataOf('unannounced', true) })
  await registerMarket(running, 'announced')
  await both.promise
  expect(heard).toEqual(['announced'])
  socket.close()
})
