import { workerScheduler } from '@augury/platform/authorization/scheduler'
import { openExchange } from '@augury/platform/exchange/exchange-access'
import { type MemberEvents, memberEvents } from '@augury/platform/inbox/member-events'
import { newsOf } from '@augury/platform/inbox/news'
import { runJob } from '@augury/platform/jobs/run-job'
import { depositsJob } from '@augury/platform/sync/deposits'
import { ordersJob } from '@augury/platform/sync/orders'
import { eventually } from '@augury/testing/eventually'
import type { MemberNotification } from '@augury/wire/platform/belongings'
import type { PrivateKeyAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { memberOn } from './as-member.ts'
import { Browser, walletOf } from './browser.ts'
import { enable, fund, tradingSite } from './exchange.ts'

const at = await tradingSite()
const { yes, no } = at.markets.rain
let wallets = 5000

/** A member who may trade, with 1 000 USDC. The exchange's clock is real, so everybody joined long ago. */
const trader = async () => {
  const browser = new Browser(at)
  const wallet = walletOf(++wallets)
  await browser.signIn(wallet)
  await fund(at, wallet.address, '1000')
  await enable(browser, wallet)
  await at.rows(`update users set created_at = '2020-01-01' where address = ?`, [wallet.address.toLowerCase()])
  return { browser, wallet }
}
const order = { orderType: 'GTC', side: 'BUY' }
const bid = ({ browser }: { browser: Browser }, tokenId: string, price: string, size: string) =>
  browser.post('/api/orders', { ...order, tokenId, price, size })
const maker = await trader()

/** Collects everything from a stream until it is closed. */
async function follow<Item>(
  who: { browser: Browser },
  open: (member: Awaited<ReturnType<typeof memberOn>>, signal: AbortSignal, stillThere: () => Promise<boolean>) => AsyncIterable<Item>,
) {
  const leaving = new AbortController()
  const session = { isThere: true }
  const events: Item[] = []
  const stream = open(await memberOn(at, who.browser), leaving.signal, async () => session.isThere)
  const ended = (async () => {
    for await (const each of stream) events.push(each)
  })()
  return {
    events,
    session,
    ended,
    async leave() {
      leaving.abort()
      await ended
    },
  }
}
const news = (who: { browser: Browser }, lastEventId?: string) =>
  follow<MemberNotification>(who, (member, signal, stillThere) => newsOf(at.site, member, { signal, stillThere, lastEventId }))
const orders = (who: { browser: Browser }, position?: number) =>
  follow<MemberEvents>(who, (member, signal, stillThere) =>
    memberEvents(at.site, member, { signal, stillThere, from: position === undefined ? null : { epoch: 1, position } }),
  )
/** Waits until the upstream follows the account, so that later events are received. */
const live = async (who: { browser: Browser; wallet: PrivateKeyAccount }, stream: { events: MemberEvents[] }) => {
  let last = ''
  await eventually(async () => {
    last = (await bid(who, yes, '0.01', '5')).body.orderId
    await who.browser.call('DELETE', `/api/orders/${last}`)
    expect(stream.events.length).toBeGreaterThan(0)
  })
  const ends = () => stream.events.flat().filter((event) => event.type === 'CANCELLATION' && JSON.stringify(event).includes(last))
  await eventually(() => expect(ends()).toHaveLength(1)) // and nothing of it follows later
}
const titles = async ({ browser }: { browser: Browser }) =>
  (await browser.get('/api/notifications')).body.map(({ title }: { title: string }) => title)
const sync = async () => [
  await runJob(at.site, workerScheduler('test'), depositsJob(at.site.exchange.treasury)),
  await runJob(at.site, workerScheduler('test'), ordersJob(at.site.exchange.treasury)),
]

test('a member gets events of own orders as they occur, grouped by command, and no other member does; all over one socket', async () => {
  const [ann, bob] = [await trader(), await trader()]
  const [anns, bobs] = [await orders(ann), await orders(bob)]
  await live(ann, anns)
  const before = anns.events.length
  const { orderId } = (await bid(ann, yes, '0.4', '20')).body
  await bid(maker, no, '0.6', '8')
  await ann.browser.call('DELETE', `/api/orders/${orderId}`)
  await eventually(() => expect(anns.events.length).toBe(before + 3))
  const summaries = anns.events
    .slice(before)
    .map((events) => events.map((event) => `${event.type} ${'state' in event ? event.state : event.size}`))
  expect(summaries).toEqual([['PLACEMENT live'], ['TRADE 8', 'UPDATE partially_filled'], ['CANCELLATION cancelled']])
  expect(anns.events.flat().every(({ account }) => account === ann.wallet.address)).toBe(true)
  expect(bobs.events).toEqual([])
  expect(at.site.accountFeeds.sockets()).toBe(1)

  const again = await orders(ann, anns.events[before]![0].seq)
  await eventually(() => expect(again.events.length).toBe(2))
  expect(again.events).toEqual(anns.events.slice(before + 1))
  await bid(ann, yes, '0.02', '5')
  await eventually(() => expect(again.events.length).toBe(3))
  for (const each of [anns, bobs, again]) await each.leave()
  expect(at.site.accountFeeds.sockets()).toBe(0)
})

test('an ended session gets no more events', async () => {
  const ann = await trader()
  const stream = await orders(ann)
  await live(ann, stream)
  const before = stream.events.length
  stream.session.isThere = false
  await bid(ann, yes, '0.02', '5')
  await stream.ended
  expect(stream.events.length).toBe(before)
})

test('fills are notified at once while a stream is open: the first partial fill of an order, and its completion', async () => {
  const ann = await trader()
  const [stream, seen] = [await news(ann), await orders(ann)]
  await live(ann, seen)
  await bid(ann, yes, '0.4', '20')
  for (const size of ['6', '5', '9']) await bid(maker, no, '0.6', size)
  await eventually(() => expect(stream.events.length).toBe(2))
  expect(stream.events.map(({ title, description }) => [title, description])).toEqual([
    ['Order partly filled', 'Bought 6 of 20 Yes at 40¢: Will it rain?'],
    ['Order filled', 'Bought 20 of 20 Yes at 40¢: Will it rain?'],
  ])
  await stream.leave()
  await seen.leave()
  const missed = await news(ann, stream.events[0]!.id)
  await eventually(() => expect(missed.events.map(({ title }) => title)).toEqual(['Order filled']))
  await missed.leave()
  await sync()
  expect((await titles(ann)).filter((title: string) => title.startsWith('Order'))).toEqual(['Order filled', 'Order partly filled'])
})

test('a market order by budget has its budget, what was spent and what is left', async () => {
  const ann = await trader()
  const [stream, seen] = [await news(ann), await orders(ann)]
  await live(ann, seen)
  const take = (amount: string) =>
    ann.browser.post('/api/orders', { orderType: 'FAK', side: 'BUY', tokenId: at.markets.snow.yes, amount, price: '0.5' })
  await bid(maker, at.markets.snow.no, '0.6', '20')
  await take('4')
  await take('10.5')
  await eventually(() => expect(stream.events.length).toBe(2))
  expect(stream.events.map(({ title, description }) => [title, description])).toEqual([
    ['Order filled', 'Bought 10 Yes at 40¢ for $4.00: Will it snow?'],
    ['Order partly filled', 'Bought 10 Yes at 40¢, spent 4.00 of 10.50 USDC, 6.50 USDC not spent: Will it snow?'],
  ])
  for (const each of [stream, seen]) await each.leave()
})

test('without a stream the jobs notify, once each; reading the list notifies of nothing', async () => {
  const ann = await trader()
  await sync()
  expect((await titles(ann)).sort()).toEqual(['Deposit received', 'Trading was enabled on a new device'])
  await bid(ann, yes, '0.4', '10')
  await bid(maker, no, '0.6', '10')
  await fund(at, ann.wallet.address, '12.5')
  const count = async () => (await at.rows('select count(*)::int as count from notification'))[0]!.count
  const before = await count()
  expect((await titles(ann)).length).toBe(2)
  expect(await count()).toBe(before)
  expect(await sync()).toMatchObject([
    { success: true, deposits: 1 },
    { success: true, errors: 0 },
  ])
  expect(await sync()).toMatchObject([
    { success: true, deposits: 0 },
    { success: true, events: 0 },
  ])
  const list = (await ann.browser.get('/api/notifications')).body
  expect(
    list
      .slice(0, 2)
      .map(({ title, description }: MemberNotification) => `${title}: ${description}`)
      .sort(),
  ).toEqual(['Deposit received: $12.50', 'Order filled: Bought 10 of 10 Yes at 40¢: Will it rain?'])
})

test('a member gets no notification of events before joining, nor of their own requests', async () => {
  const ann = await trader()
  await at.rows(`update users set created_at = '2099-01-01' where address = ?`, [ann.wallet.address.toLowerCase()])
  await bid(ann, yes, '0.4', '5')
  await bid(maker, no, '0.6', '5')
  await sync()
  expect(await titles(ann)).toEqual(['Trading was enabled on a new device'])
  const bob = await trader()
  const { orderId } = (await bid(bob, yes, '0.3', '5')).body
  await bob.browser.call('DELETE', `/api/orders/${orderId}`)
  await sync()
  expect((await titles(bob)).sort()).toEqual(['Deposit received', 'Trading was enabled on a new device'])
})

test("a failed read of a member's orders is cleared by the next successful one", async () => {
  const { wallet } = await trader()
  const broken = at.site.exchange.treasury().then((exchange): typeof exchange => ({
    ...exchange,
    listEvents: (input) =>
      input?.query?.account === wallet.address.toLowerCase() ? Promise.reject(new Error('torn')) : exchange.listEvents(input),
  }))
  const failures = () => at.rows('select error from sync_failure')
  const job = ordersJob(() => broken)
  expect(await runJob(at.site, workerScheduler('test'), job)).toMatchObject({ success: true, errors: 1 })
  expect(await failures()).toEqual([{ error: 'torn' }])
  await sync()
  expect(await failures()).toEqual([])
})

test('the jobs of a deployment that does not manage the exchange succeed and notify of nothing', async () => {
  const { treasury } = openExchange({ clobUrl: at.clobUrl, platformWalletKey: `0x${'77'.repeat(32)}` })
  for (const job of [depositsJob(treasury), ordersJob(treasury)])
    expect(await runJob(at.site, workerScheduler('test'), job)).toMatchObject({ success: true, errors: 0 })
})

test('there were no unexpected failures', () => {
  expect(at.bugs).toEqual([])
})
