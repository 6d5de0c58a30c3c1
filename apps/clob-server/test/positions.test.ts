import { conditionRequest } from '@augury/testing/condition-request'
import { withConnection } from '@augury/testing/connection'
import { expect, test } from 'vitest'
import { Caller, send } from './caller.ts'
import { fund, funded, registerMarket, type TestMarket } from './market.ts'
import { runningServer, wallets } from './running-server.ts'

const running = await runningServer({ OPERATOR_ADDRESSES: `${wallets.operator.address},${wallets.carol.address}` })
const venue = await Caller.of(running.url, wallets.operator, 'venue')
const alice = await funded(running.url, wallets.alice, '1000')

test('shares are split and merged; after the end they are redeemed', async () => {
  const market = await registerMarket(running, 'ending')
  const before = Number((await alice.cash()).balance)
  expect((await alice.call('POST', '/positions/split', { market: market.condition, amount: '50' })).body).toMatchObject({
    success: true,
    balances: { tokens: { [market.yes]: '50', [market.no]: '50' } },
  })
  expect((await alice.call('POST', '/positions/merge', { market: market.condition, amount: '10' })).body.balances.tokens).toEqual({
    [market.yes]: '40',
    [market.no]: '40',
  })
  expect(Number((await alice.cash()).balance)).toBe(before - 40_000_000)
  await alice.call('POST', '/order', { tokenId: market.yes, side: 'SELL', orderType: 'GTC', price: '0.9', size: '20' })

  expect((await alice.call('POST', '/positions/redeem', { market: market.condition })).body.code).toBe('condition_not_resolved')
  expect((await alice.call('POST', `/operator/conditions/${market.condition}/close`)).status).toBe(403)
  const carol = await Caller.of(running.url, wallets.carol, 'operator')
  expect((await carol.call('POST', `/operator/conditions/${market.condition}/close`)).body.code).toBe('condition_not_owned')
  expect((await venue.call('POST', `/operator/conditions/${market.condition}/close`)).body).toMatchObject({
    mode: 'closed',
    closed: true,
    accepting_orders: false,
  })
  const late = await alice.call('POST', '/order', { tokenId: market.yes, side: 'BUY', orderType: 'GTC', price: '0.5', size: '20' })
  expect([late.status, late.body.code]).toEqual([409, 'market_closed'])

  await expect
    .poll(async () => (await venue.call('POST', `/operator/conditions/${market.condition}/resolve`, { weights: [10_000, 0] })).status)
    .toBe(200)
  expect((await venue.call('POST', `/operator/conditions/${market.condition}/resolve`, { weights: [5000, 5000] })).status).toBe(409)
  const redeemed = await alice.call('POST', '/positions/redeem')
  expect(redeemed.body).toEqual({ success: true, redeemed: [{ market: market.condition, payout: '40' }] })
  expect(await alice.cash()).toMatchObject({ balance: String(before), reserved: '0' })
  expect((await send(running.url, 'GET', `/markets/${market.condition}`)).body).toMatchObject({
    closed: true,
    resolution_price: 1,
    tokens: [
      { winner: true, price: 1 },
      { winner: false, price: 0 },
    ],
  })
})

test('a change of positions without enough money or shares says how much is missing', async () => {
  const [one, two] = [await registerMarket(running, 'lacking-one'), await registerMarket(running, 'lacking-two')]
  const { balance: cash } = await alice.cash()
  const change = async (path: string, { condition }: TestMarket, amount: string) =>
    (await alice.call('POST', `/positions/${path}`, { market: condition, amount })).body
  expect(await change('split', one, '5000')).toMatchObject({
    code: 'insufficient_balance',
    details: { available: cash, reserved: '0', required: '5000000000' },
  })
  await change('split', two, '10')
  await alice.call('POST', '/order', { tokenId: two.no, side: 'SELL', orderType: 'GTC', price: '0.9', size: '6' })
  expect(await change('merge', two, '5')).toMatchObject({
    code: 'insufficient_shares',
    details: { available: '4000000', reserved: '6000000', required: '5000000' },
  })
})

test('a change of positions that has a name is made once, whichever request carries it', async () => {
  const market = await registerMarket(running, 'named')
  const shares = async (path: string, amount: string, ref?: string) =>
    (await alice.call('POST', `/positions/${path}`, { market: market.condition, amount, ...(ref ? { ref } : {}) })).body.balances.tokens[
      market.yes
    ]
  expect(await shares('split', '10', 'mine')).toBe('10')
  // Other bytes: the decimal is written differently, so the signature is another.
  const again = await alice.call('POST', '/positions/split', { market: market.condition, amount: '10.0', ref: 'mine' })
  expect([again.body.balances.tokens[market.yes], again.headers.get('idempotent-replayed')]).toEqual(['10', 'true'])
  const other = await alice.call('POST', '/positions/merge', { market: market.condition, amount: '1', ref: 'other' })
  expect(other.headers.get('idempotent-replayed')).toBeNull()
  expect(await shares('split', '1')).toBe('10')
  expect(await shares('merge', '4', 'mine')).toBe('6') // another thing asked for under the same name is another request
  expect(await shares('split', '3', 'mine')).toBe('9')
  expect(await shares('split', '10', 'yours')).toBe('19')
  const refused = await alice.call('POST', '/positions/merge', { market: market.condition, amount: '20', ref: 'early' })
  expect(refused.body.code).toBe('insufficient_shares')
  await shares('split', '1', 'more')
  expect(await shares('merge', '20', 'early')).toBe('0') // what was refused was never made
})

test('a conversion that has a name is made once, in whichever order its markets are listed', async () => {
  const { metadata } = conditionRequest('final')
  const changes = { metadata, neg_risk_event: { slug: metadata.event.slug, size: 3 } }
  const markets: TestMarket[] = []
  for (const slug of ['final-one', 'final-two', 'final-three']) markets.push(await registerMarket(running, slug, changes))
  const [one, two, three] = markets as [TestMarket, TestMarket, TestMarket]
  for (const { condition } of [one, two]) await alice.call('POST', '/positions/split', { market: condition, amount: '10' })
  const { neg_risk_market_id: event } = (await send(running.url, 'GET', `/markets/${one.condition}`)).body
  const convert = async (...chosen: TestMarket[]) => {
    const body = { event, market_ids: chosen.map(({ condition }) => condition), amount: '4', ref: 'mine' }
    const { tokens } = (await alice.call('POST', '/positions/convert', body)).body.balances
    return [tokens[one.no], tokens[two.no], tokens[three.yes]]
  }
  const lacking = await alice.call('POST', '/positions/convert', { event, market_ids: [one.condition, three.condition], amount: '4' })
  expect(lacking.body).toMatchObject({ code: 'insufficient_shares', details: { available: '0', reserved: '0', required: '4000000' } })
  expect(await convert(one, two)).toEqual(['6', '6', '4'])
  expect(await convert(two, one)).toEqual(['6', '6', '4'])
  expect(await convert(two)).toEqual(['6', '2', '8']) // other markets are another request
})

test('an `Idempotency-Key` makes one change of two signatures, and never two of one', async () => {
  const market = await registerMarket(running, 'retried')
  const signed = new Map<string, Promise<Record<string, string>>>()
  /** Signs each body once for each skew: however long the requests take, those are the same bytes. */
  const split = async (asked: object, name?: string, skew = 0) => {
    const body = JSON.stringify({ market: market.condition, ...asked })
    const headers = signed.get(`${skew} ${body}`) ?? alice.headers('POST', '/positions/split', body, skew)
    signed.set(`${skew} ${body}`, headers)
    const named: Record<string, string> = name === undefined ? {} : { 'Idempotency-Key': name }
    const { body: answer } = await send(running.url, 'POST', '/positions/split', body, { ...(await headers), ...named })
    return answer.balances.tokens[market.yes]
  }
  expect(await split({ amount: '10' }, 'a')).toBe('10')
  expect(await split({ amount: '10' }, 'a', 1)).toBe('10') // signed anew
  expect(await split({ amount: '10' }, undefined, 1)).toBe('10') // without the header, or with another key, it is a new request
  expect(await split({ amount: '10' }, 'b', 1)).toBe('10')
  expect(await split({ amount: '10' }, 'b', 2)).toBe('10')
  expect(await split({ amount: '3' }, 'a')).toBe('13') // another thing under the same name is another request
  expect(await split({ amount: '10' }, 'c', 3)).toBe('23')
})

test('a repeated claim gets the first answer, also after a restart, and pays only once', async () => {
  const [won, lost] = [await registerMarket(running, 'claimed-one'), await registerMarket(running, 'claimed-two')]
  for (const { condition } of [won, lost]) {
    await alice.call('POST', '/positions/split', { market: condition, amount: '10' })
    await venue.call('POST', `/operator/conditions/${condition}/close`)
  }
  await alice.call('POST', '/positions/merge', { market: won.condition, amount: '3' })
  const { seq } = (await send(running.url, 'GET', '/status')).body
  for (const { condition } of [won, lost])
    expect((await venue.call('POST', `/operator/conditions/${condition}/resolve`, { weights: [7500, 2500] })).status).toBe(200)
  const claim = async (body: string, headers: Record<string, string>) => {
    const { status, headers: told, body: answer } = await send(running.url, 'POST', '/positions/redeem', body, headers)
    return [status, told.get('idempotent-replayed'), answer.redeemed]
  }
  const one = JSON.stringify({ market: won.condition })
  const ofOne = await alice.headers('POST', '/positions/redeem', one)
  const [first, second] = await Promise.all([claim(one, ofOne), claim(one, ofOne)])
  const payout = [{ market: won.condition, payout: '7' }]
  expect([first, second]).toEqual([
    [200, null, payout],
    [200, 'true', payout],
  ])
  const ofAll = await alice.headers('POST', '/positions/redeem', '{}')
  const rest = [{ market: lost.condition, payout: '10' }]
  expect(await claim('{}', ofAll)).toEqual([200, null, rest])
  const after = (await alice.cash()).balance
  await running.restart()
  expect(await claim('{}', ofAll)).toEqual([200, 'true', rest])
  expect(await claim(one, ofOne)).toEqual([200, 'true', payout])
  const written = (await send(running.url, 'GET', '/status')).body.seq
  const anew = async (asked?: object) => (await alice.call('POST', '/positions/redeem', asked, { skew: 7 })).body.redeemed // of another second
  expect([await anew({ market: won.condition }), await anew()]).toEqual([[{ market: won.condition, payout: '0' }], []])
  const { body } = await send(running.url, 'GET', '/status')
  expect([body.seq, written > seq, (await alice.cash()).balance]).toEqual([written, true, after]) // nothing to pay is not written down
})

test.each(['a market', 'everything'])('a claim of %s during the operator’s payout is answered with that payout', async (asked) => {
  const { condition } = await registerMarket(running, `claimed-while-paid-${asked.replace(' ', '-')}`)
  await alice.call('POST', '/positions/split', { market: condition, amount: '10' })
  await venue.call('POST', `/operator/conditions/${condition}/close`)
  await venue.call('POST', `/operator/conditions/${condition}/resolve`, { weights: [10_000, 0] })
  const { venue: exchange } = running.server
  await withConnection(running.settings.clobDatabaseUrl, async (database) => {
    await database.query('begin')
    await database.query('lock table journal in exclusive mode') // what is asked for from now on waits for one row, or for the next
    const paid = exchange.submit({ type: 'redeem_all', condition: condition as `0x${string}`, limit: 10 })
    await expect.poll(() => exchange.status().queued).toBe(0)
    // Of another second than the claims below, whose bytes would be the same.
    const claimed = alice.call('POST', '/positions/redeem', asked === 'everything' ? {} : { market: condition }, { skew: 5 })
    await expect.poll(() => exchange.status().queued).toBe(1)
    await database.query('commit')
    expect((await paid).events[0]?.type).toBe('done')
    expect((await claimed).body).toEqual({ success: true, redeemed: [{ market: condition, payout: '10' }] })
  })
})

test('an `Idempotency-Key` names a claim of everything, whatever was held when it was asked for', async () => {
  const { condition } = await registerMarket(running, 'claimed-by-name')
  await alice.call('POST', '/positions/split', { market: condition, amount: '10' })
  await venue.call('POST', `/operator/conditions/${condition}/close`)
  await venue.call('POST', `/operator/conditions/${condition}/resolve`, { weights: [10_000, 0] })
  const claim = async (skew: number) =>
    (await alice.call('POST', '/positions/redeem', {}, { skew, headers: { 'Idempotency-Key': 'all of it' } })).body.redeemed
  // Other seconds than those of the claims above, whose bytes would be the same.
  expect([await claim(11), await claim(12)]).toEqual(Array(2).fill([{ market: condition, payout: '10' }]))
})

test('the operator pays holders in chunks', async () => {
  const market = await registerMarket(running, 'paying')
  await fund(running.url, wallets.bob.address, '100')
  const bob = await Caller.of(running.url, wallets.bob)
  for (const caller of [alice, bob]) await caller.call('POST', '/positions/split', { market: market.condition, amount: '10' })
  await venue.call('POST', `/operator/conditions/${market.condition}/close`)
  await venue.call('POST', `/operator/conditions/${market.condition}/resolve`, { weights: [5000, 5000] })
  const chunk = () => venue.call('POST', `/operator/conditions/${market.condition}/redeem`, { limit: 1 }).then(({ body }) => body)
  expect(await chunk()).toEqual({ redeemed: 1, remaining: true })
  expect(await chunk()).toEqual({ redeemed: 1, remaining: false })
  expect((await bob.cash()).balance).toBe('100000000')
})

test('a market says that it ended in a tie, and which of its tokens won where one did', async () => {
  const told = async (slug: string, weights: number[]) => {
    const { condition } = await registerMarket(running, slug)
    const view = async () => (await send(running.url, 'GET', `/markets/${condition}`)).body
    const before = await view()
    await venue.call('POST', `/operator/conditions/${condition}/close`)
    await venue.call('POST', `/operator/conditions/${condition}/resolve`, { weights })
    const { is_50_50_outcome, tokens } = await view()
    return [before.is_50_50_outcome, is_50_50_outcome, ...tokens.map(({ winner }: { winner: boolean }) => winner)]
  }
  expect(await told('tied', [5000, 5000])).toEqual([false, true, false, false])
  expect(await told('nearly-tied', [5001, 4999])).toEqual([false, false, false, false])
  expect(await told('won', [0, 10_000])).toEqual([false, false, false, true])
})
