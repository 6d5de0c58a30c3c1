import { workerScheduler } from '@augury/platform/authorization/scheduler'
import { runJob } from '@augury/platform/jobs/run-job'
import { useCases } from '@augury/platform/operations'
import { ordersJob } from '@augury/platform/sync/orders'
import { expect, test } from 'vitest'
import { memberOn } from './as-member.ts'
import type { Browser } from './browser.ts'
import { enabling, tradingSite } from './exchange.ts'
import { order, place, signedIn, titles, trader } from './traders.ts'

const at = await tradingSite()

test('orders are placed, seen and cancelled with the member’s key', async () => {
  const { browser } = await trader(at)
  const placed = await place(browser, order(at.markets.rain.no, '0.4', '10'))
  expect([placed.status, placed.body.state]).toEqual([200, 'live'])
  await place(browser, order(at.markets.snow.yes, '0.2', '5.5'))

  const { data, next_cursor } = (await browser.get('/api/open-orders')).body
  expect(next_cursor).toBe('LTE=')
  expect(data.length).toBe(2)
  expect(data[0]).toEqual({
    ...{ id: placed.body.orderId, side: 'buy', type: 'GTC', status: 'live', price: 0.4 },
    ...{ maker_amount: '4000000', taker_amount: '10000000', size_matched: '0' },
    created_at: expect.stringMatching(/^\d{4}-.*Z$/),
    expiration: null,
    outcome: { index: 1, text: 'No' },
    market: {
      ...{ condition_id: at.markets.rain.condition, title: 'Will it rain?', slug: 'rain-market', is_active: true, is_resolved: false },
      ...{ icon_url: '', event_slug: 'rain', event_title: 'Will it rain?' },
    },
  })
  expect(data[1]).toMatchObject({ maker_amount: '1100000', taker_amount: '5500000' })
  const ids = async (path: string) => (await browser.get(path)).body.data.map(({ id }: { id: string }) => id)
  expect(await ids('/api/events/rain/open-orders')).toEqual([data[0].id])
  expect(await ids(`/api/events/rain/open-orders?conditionId=${at.markets.rain.condition.toUpperCase().replace('0X', '0x')}`)).toEqual([
    data[0].id,
  ])
  expect(await ids(`/api/events/rain/open-orders?conditionId=${at.markets.snow.condition}`)).toEqual([])
  expect(await ids(`/api/open-orders?market=${at.markets.snow.condition}`)).toEqual([data[1].id])
  expect(await ids('/api/open-orders?market=elsewhere')).toEqual([])
  expect((await browser.get('/api/events/nothing/open-orders')).body).toEqual({ error: 'Event not found.', code: 'event_not_found' })

  const stranger = await trader(at)
  const cancel = (who: Browser, id: string) => who.call('DELETE', `/api/orders/${id}`)
  expect(await cancel(stranger.browser, data[0].id)).toMatchObject({
    status: 403,
    body: { error: 'Order belongs to another user', code: 'order_not_owned' },
  })
  expect((await stranger.browser.get('/api/open-orders')).body.data).toEqual([])
  const cancelled = await cancel(browser, data[0].id)
  expect([cancelled.status, cancelled.body.canceled]).toEqual([200, [data[0].id]])
  expect(await cancel(browser, data[0].id)).toMatchObject({
    status: 409,
    body: { error: 'Order is already filled or cancelled', code: 'order_ended', state: 'cancelled' },
  })
  expect(await cancel(browser, `0x${'0'.repeat(64)}`)).toMatchObject({ status: 404, body: { error: 'Order not found' } })
  expect(await ids('/api/open-orders')).toEqual([data[1].id])
})

test('refusals of the exchange are passed on', async () => {
  const { browser } = await trader(at, '1')
  const poor = await place(browser, order(at.markets.rain.yes, '0.5', '10'))
  expect(poor).toMatchObject({ status: 400, body: { code: 'insufficient_balance', details: { available: '1000000' } } })
  expect((await place(browser, order('1', '0.5', '10'))).body.code).toBe('unknown_token')
  expect((await place(browser, order(at.markets.rain.yes, '0.505', '10'))).body.code).toBe('invalid_price_tick')
  expect((await place(browser, { ...order(at.markets.rain.yes, '0.5', '10'), owner: 'x' })).body.code).toBe('invalid_payload')
})

test('rate-limit headers of the exchange are passed on', async () => {
  const { browser } = await trader(at)
  const cancel = () => browser.call('DELETE', `/api/orders/0x${'0'.repeat(64)}`)
  let answer = await cancel()
  for (let n = 1; n < 100 && answer.status === 404; n++) answer = await cancel()
  expect(answer.status).toBe(404)
  const { status, body, headers } = await cancel()
  expect([status, body.code]).toEqual([429, 'rate_limited'])
  const limits = ['retry-after', 'ratelimit-limit', 'ratelimit-remaining', 'ratelimit-policy', 'ratelimit'].map((name) => headers.get(name))
  const few = expect.stringMatching(/^[1-5]?\d$|^60$/)
  expect(limits).toEqual([few, '100', '0', expect.stringMatching(/;q=100;w=60$/), expect.stringMatching(/;r=0;t=\d+$/)])
})

test('a banned member cannot place orders, and can cancel', async () => {
  const { browser, user } = await trader(at)
  const { body } = await place(browser, order(at.markets.rain.yes, '0.01', '10'))
  await at.rows('update users set banned_at = now() where id = ?', [user.id])
  expect(await place(browser, order(at.markets.rain.yes, '0.02', '10'))).toMatchObject({ status: 403, body: { code: 'account_banned' } })
  expect((await browser.call('DELETE', `/api/orders/${body.orderId}`)).status).toBe(200)
})

test('a member’s own limit applies to every order on the site', async () => {
  const { browser } = await trader(at)
  await useCases.limitOrders(at.site, await memberOn(at, browser), { body: { orderMax: '2000000' } } as never)
  expect((await place(browser, order(at.markets.rain.yes, '0.3', '10'))).body.code).toBe('own_limit')
  expect((await place(browser, order(at.markets.rain.yes, '0.2', '10'))).status).toBe(200)
})

test('a member is notified of a fill once, and no other member is; notifications can be marked as read', async () => {
  const [maker, taker] = [await trader(at), await trader(at)]
  const resting = await place(maker.browser, order(at.markets.snow.yes, '0.6', '10'))
  const filled = await place(taker.browser, order(at.markets.snow.no, '0.4', '10'))
  expect(filled.body.state).toBe('filled')
  await runJob(at.site, workerScheduler('test'), ordersJob(at.site.exchange.treasury))
  const all: { id: string; title: string }[] = (await maker.browser.get('/api/notifications')).body
  const notification = all.find(({ title }) => title === 'Order filled')!
  expect(notification).toMatchObject({
    ...{ category: 'trade', title: 'Order filled', link_type: 'order', link_target: resting.body.orderId, read_at: null },
    description: 'Bought 10 of 10 Yes at 60¢: Will it snow?',
  })
  expect((await titles(maker.browser)).filter((title) => title === 'Order filled').length).toBe(1)
  const mark = (who: Browser, body?: unknown) => who.call('PUT', `/api/notifications/${notification.id}`, body)
  expect(await mark(taker.browser)).toMatchObject({
    status: 404,
    body: { error: 'Notification not found.', code: 'notification_not_found' },
  })
  expect((await mark(maker.browser)).body).toEqual({ ...notification, read_at: at.site.now().toISOString() })
  expect((await mark(maker.browser, { read: false })).body.read_at).toBeNull()
  expect((await maker.browser.call('PUT', '/api/notifications', { read: true })).body).toEqual({ success: true })
  const unread = async (who: Browser) =>
    (await who.get('/api/notifications')).body.filter(({ read_at }: { read_at: string | null }) => read_at === null).length
  expect([await unread(maker.browser), await unread(taker.browser)]).toEqual([0, 1]) // what fills at placement is no news
  expect((await maker.browser.get('/api/notifications?limit=1&offset=1')).body.length).toBe(1)
  for (const id of ['x', '01890a5d-ac96-774b-bcce-b302099a8057'])
    expect((await maker.browser.call('PUT', `/api/notifications/${id}`)).status).toBe(404)
})

test('while the exchange is unavailable orders fail, and lists keep working', async () => {
  const { browser, wallet } = await trader(at)
  const late = await signedIn(at)
  const login = await enabling(late.browser, late.wallet)
  await at.stopExchange()
  expect(await place(browser, order(at.markets.rain.yes, '0.08', '10'))).toMatchObject({ status: 500, body: { code: 'outcome_unknown' } })
  expect(await browser.get('/api/open-orders')).toMatchObject({ status: 500, body: { code: 'service_unavailable' } })
  expect(await late.browser.post('/api/trading-credentials', login)).toMatchObject({ status: 500, body: { code: 'service_unavailable' } })
  expect(await titles(browser)).toEqual(['Trading was enabled on a new device'])
  expect(await browser.call('DELETE', '/api/trading-credentials')).toMatchObject({ status: 500 })
  expect((await browser.get('/api/trading-credentials')).body.usable).toBe(true)
  expect(wallet.address).toMatch(/^0x/)
})

test('there were no unexpected failures', () => {
  expect(at.bugs).toEqual([])
})
