import { useCases } from '@augury/platform/operations'
import { expect, test } from 'vitest'
import { memberOn } from './as-member.ts'
import type { Browser } from './browser.ts'
import { tradingSite } from './exchange.ts'
import { order, place, trader } from './traders.ts'

const at = await tradingSite()
const { yes, no } = at.markets.rain

const change = async (browser: Browser, id: string, price: string, size: string, clientOrderId?: string) =>
  useCases.changeOrder(at.site, await memberOn(at, browser), { body: { id, price, size, clientOrderId } } as never)
const terms = async (browser: Browser, id: string) =>
  useCases.orderToChange(at.site, await memberOn(at, browser), { query: { id } } as never)
const reserved = async (browser: Browser) => (await useCases.getFunds(at.site, await memberOn(at, browser), {} as never)).cash?.reserved
const openOrders = async (browser: Browser) =>
  (await browser.get('/api/open-orders')).body.data.map(({ id, price, taker_amount, size_matched }: Record<string, unknown>) => ({
    ...{ id, price, taker_amount, size_matched },
  }))

test('reducing an order keeps it and reduces its hold exactly', async () => {
  const { browser } = await trader(at)
  const { orderId } = (await place(browser, order(yes, '0.2', '20'))).body
  expect(await change(browser, orderId, '0.2', '12.5')).toMatchObject({
    ...{ orderId, kept_place: true, state: 'live', filled_before: '0', size_matched: '0', remaining_size: '12.5' },
  })
  expect(await change(browser, orderId, '0.2', '12.5')).toMatchObject({ orderId, remaining_size: '12.5' }) // repeated, done once
  expect(await reserved(browser)).toBe('2500000')
})

test.each([
  ['another price', '0.21', '20', '4200000'],
  ['more shares', '0.2', '25', '5000000'],
])('with %s it becomes a new order, once however often the request is sent', async (_, price, size, holds) => {
  const { browser } = await trader(at)
  const { orderId } = (await place(browser, order(yes, '0.2', '20'))).body
  const changed = await change(browser, orderId, price, size, 'mine')
  expect(changed).toMatchObject({ kept_place: false, state: 'live', filled_before: '0', remaining_size: size })
  expect(changed.orderId).not.toBe(orderId)
  expect(await change(browser, orderId, price, size, 'mine')).toEqual(changed)
  expect((await openOrders(browser)).map(({ id }: { id: string }) => id)).toEqual([changed.orderId])
  expect(await reserved(browser)).toBe(holds)
})

test('earlier fills count: only the rest is placed at the new price', async () => {
  const [{ browser }, other] = [await trader(at), await trader(at)]
  const { orderId } = (await place(browser, order(yes, '0.45', '40'))).body
  await place(other.browser, order(no, '0.55', '15'))
  expect(await terms(browser, orderId)).toMatchObject({
    order: { id: orderId, side: 'buy', price: 0.45, size_matched: '15000000', outcome: { index: 0 } },
    ...{ post_only: false, fee_rate_bps: expect.any(Number), minimum_size: '5', book: { tick_size: '0.01' } },
  })
  const changed = await change(browser, orderId, '0.4', '35')
  expect(changed).toMatchObject({ kept_place: false, filled_before: '15', size_matched: '0', remaining_size: '20' })
  await expect(change(browser, changed.orderId, '0.39', '0.01')).rejects.toMatchObject({ code: 'size_too_small' })
  await expect(terms(browser, orderId)).rejects.toMatchObject({ code: 'order_ended' })
  await expect(change(browser, orderId, '0.3', '40')).rejects.toMatchObject({ code: 'order_ended' })
  expect((await openOrders(browser)).map(({ id }: { id: string }) => id)).toEqual([changed.orderId])
  await browser.call('DELETE', `/api/orders/${changed.orderId}`)
})

test.each([
  ['the new one asks for as much less', ['6'], '0.4', { state: 'live', filled_before: '16', size_matched: '0', remaining_size: '24' }],
  ['however often', ['6', '5', '7.5'], '0.4', { filled_before: '28.5', size_matched: '0', remaining_size: '11.5' }],
  ['what it meets at once counts too', ['6'], '0.49', { filled_before: '16', size_matched: '20', remaining_size: '4' }],
  ['no more is bought than was asked for', ['20'], '0.49', { state: 'filled', filled_before: '30', size_matched: '10' }],
  ['less than the market takes is no order', ['27'], '0.4', 'size_too_small'],
  ['and it is full by then, nothing is placed', ['30'], '0.49', 'order_ended'],
])('when an order is filled while it is changed, %s', async (_, fills, price, expected) => {
  const [{ browser }, other] = [await trader(at), await trader(at)]
  const { orderId } = (await place(browser, order(yes, '0.45', '40'))).body
  await place(other.browser, order(no, '0.55', '10'))
  await place(other.browser, order(no, '0.52', '20'))
  const left = [...fills]
  const as: typeof at.site.exchange.as = (apiKey) => {
    const exchange = at.site.exchange.as(apiKey)
    const replaceOrder: typeof exchange.replaceOrder = async (input) => {
      const size = left.shift()
      if (size !== undefined) await place(other.browser, order(no, '0.55', size))
      return exchange.replaceOrder(input)
    }
    return { ...exchange, replaceOrder }
  }
  const site = { ...at.site, exchange: { ...at.site.exchange, as } }
  const body = { id: orderId, price, size: '40', clientOrderId: crypto.randomUUID() }
  const changing = async (on: typeof at.site = site) => useCases.changeOrder(on, await memberOn(at, browser), { body } as never)
  if (typeof expected === 'string') await expect(changing()).rejects.toMatchObject({ code: expected })
  else {
    const changed = await changing()
    expect(changed).toMatchObject(expected)
    const whole = ({ filled_before, size_matched, remaining_size }: typeof changed) =>
      Number(filled_before) + Number(size_matched) + Number(remaining_size)
    expect(whole(changed)).toBe(40)
    // A repeated request gets the same order, as it is by then.
    await place(other.browser, order(no, (1 - Number(price)).toFixed(2), '5'))
    const again = await changing(at.site)
    expect([again.orderId, again.filled_before, whole(again)]).toEqual([changed.orderId, changed.filled_before, 40])
  }
  for (const one of [browser, other.browser]) await useCases.cancelAllOrders(at.site, await memberOn(at, one), { body: {} } as never)
})

test('a marketable price trades at once, and the order keeps its expiry', async () => {
  const [{ browser }, other] = [await trader(at), await trader(at)]
  const expiration = 4_000_000_000
  const { orderId } = (await place(browser, { ...order(yes, '0.3', '20'), orderType: 'GTD', expiration })).body
  await place(other.browser, order(no, '0.65', '8'))
  const changed = await change(browser, orderId, '0.36', '20')
  expect(changed).toMatchObject({
    state: 'partially_filled',
    filled_before: '0',
    size_matched: '8',
    remaining_size: '12',
    avg_price: '0.35',
  })
  const { order: now } = await terms(browser, changed.orderId)
  expect(now).toMatchObject({ type: 'GTD', price: 0.36, expiration: new Date(expiration * 1000).toISOString() })
  await browser.call('DELETE', `/api/orders/${changed.orderId}`)
})

test('a refused change leaves the order as it was; who may not place orders may still reduce them', async () => {
  const [{ browser, user }, stranger] = [await trader(at, '5'), await trader(at)]
  const { orderId } = (await place(browser, order(yes, '0.1', '20'))).body
  const before = await openOrders(browser)
  await expect(change(browser, orderId, '0.5', '20')).rejects.toMatchObject({ code: 'insufficient_balance' })
  await expect(change(browser, orderId, '0.105', '20')).rejects.toMatchObject({ code: 'invalid_price_tick' })
  await expect(change(stranger.browser, orderId, '0.1', '10')).rejects.toMatchObject({ code: 'order_not_owned' })
  await expect(terms(stranger.browser, orderId)).rejects.toMatchObject({ code: 'order_not_owned' })
  await useCases.limitOrders(at.site, await memberOn(at, browser), { body: { orderMax: '2' } } as never)
  await expect(change(browser, orderId, '0.11', '20')).rejects.toMatchObject({ code: 'own_limit' })
  await at.rows('update users set banned_at = now() where id = ?', [user.id])
  await expect(change(browser, orderId, '0.05', '20')).rejects.toMatchObject({ code: 'account_banned' })
  expect(await openOrders(browser)).toEqual(before)
  expect(await change(browser, orderId, '0.1', '10')).toMatchObject({ kept_place: true, remaining_size: '10' })
})

test('there were no unexpected failures', () => {
  expect(at.bugs).toEqual([])
})
