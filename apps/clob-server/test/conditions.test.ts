import { conditionRequest } from '@augury/testing/condition-request'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Caller, send } from './caller.ts'
import { fund, registerMarket } from './market.ts'
import { type RunningServer, runningServer, wallets } from './running-server.ts'

let running: RunningServer
let venue: Caller
let alice: Caller

beforeAll(async () => {
  running = await runningServer({ OPERATOR_ADDRESSES: `${wallets.operator.address},${wallets.carol.address}` })
  venue = await Caller.of(running.url, wallets.operator, 'venue')
  alice = await Caller.of(running.url, wallets.alice)
  await fund(running.url, wallets.alice.address, '1000')
})
afterAll(() => running.close())

const balance = async (caller: Caller) => (await caller.call('GET', '/balance-allowance?asset_type=COLLATERAL')).body

test('a market is registered once; the same again answers the same ids, other content is refused', async () => {
  const request = { ...conditionRequest('registered'), fee_rate_bps: 700, min_size: '1' }
  const first = await venue.call('POST', '/operator/conditions', request)
  expect(first.body).toEqual({
    condition_id: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    question_id: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    neg_risk_market_id: null,
    tokens: [
      { token_id: expect.stringMatching(/^\d{60,78}$/), outcome: 'Yes' },
      { token_id: expect.stringMatching(/^\d{60,78}$/), outcome: 'No' },
    ],
  })
  expect((await venue.call('POST', '/operator/conditions', request)).body).toEqual(first.body)
  const other = await venue.call('POST', '/operator/conditions', { ...request, fee_rate_bps: 100 })
  expect([other.status, other.body.code]).toEqual([409, 'condition_exists'])
  const carol = await Caller.of(running.url, wallets.carol, 'operator')
  expect((await carol.call('POST', '/operator/conditions', request)).body.condition_id).not.toBe(first.body.condition_id)
  expect((await alice.call('POST', '/operator/conditions', request)).status).toBe(403)

  const market = (await send(running.url, 'GET', `/markets/${first.body.condition_id.toUpperCase().replace('0X', '0x')}`)).body
  expect(market).toMatchObject({
    ...{
      condition_id: first.body.condition_id,
      market_slug: 'registered',
      question: 'Will there be registered?',
      active: true,
      closed: false,
      accepting_orders: true,
    },
    ...{
      minimum_order_size: 1,
      minimum_tick_size: 0.01,
      neg_risk: false,
      creator: wallets.operator.address,
      mode: 'open',
      fee_rate_bps: 700,
    },
    ...{
      end_date_iso: '2099-01-01T00:00:00.000Z',
      resolution_deadline_at: '2099-01-08T00:00:00.000Z',
      event: { slug: 'registered-event' },
      tags: ['News'],
    },
    tokens: [{ token_id: first.body.tokens[0].token_id, outcome: 'Yes', price: 0.5, winner: false }, { outcome: 'No' }],
  })
  const token = first.body.tokens[1].token_id
  const get = async (path: string) => (await send(running.url, 'GET', path)).body
  expect([
    await get(`/tick-size?token_id=${token}`),
    await get(`/neg-risk?token_id=${token}`),
    await get(`/fee-rate?token_id=${token}`),
  ]).toEqual([
    { minimum_tick_size: 0.01 },
    { neg_risk: false },
    { base_fee: 0, fee_schedule: { rate: 0.07, exponent: 1, takerOnly: true, rebateRate: 0 } },
  ])
  expect(await get(`/markets-by-token/${token}`)).toMatchObject({ condition_id: first.body.condition_id, secondary_token_id: token })
  await running.restart()
  expect((await send(running.url, 'GET', `/markets/${first.body.condition_id}`)).body).toEqual(market)
})

test.each([
  ['a slug with spaces', { question_slug: 'a b' }],
  ['a tick that is none', { tick_size: '0.02' }],
  ['a fee of eleven per cent', { fee_rate_bps: 1100 }],
  ['parts of a fee that are more than it', { rebate_bps: 6000, affiliate_share_bps: 6000 }],
  ['a smallest size finer than a lot', { min_size: '0.001' }],
  ['a smallest notional beyond what is counted', { min_notional: '9999999999999999' }],
  ['an event that is not the one of its texts', { neg_risk_event: { slug: 'elsewhere', size: 2 } }],
  ['a source that is a script', { metadata: { ...conditionRequest('refused').metadata, resolution_source_url: 'javascript:alert(1)' } }],
  ['one outcome', { outcomes: ['Yes'] }],
  ['two outcomes of one name', { outcomes: ['Yes', 'Yes'] }],
  ['two outcomes that read alike', { outcomes: ['Up by  1', ' up BY 1 '] }],
  ['an outcome without a name', { outcomes: ['Yes', ' '] }],
  ['an end that is no time', { end_time: 'soon' }],
])('not registered: %s', async (_, changes) => {
  const reply = await venue.call('POST', '/operator/conditions', { ...conditionRequest('refused'), ...changes })
  expect([reply.status, reply.body.code]).toEqual([400, 'invalid_payload'])
  expect(
    (await send(running.url, 'GET', '/markets')).body.data.filter((market: { market_slug: string }) => market.market_slug === 'refused'),
  ).toEqual([])
})

test('of two registrations at once with other content one stands, with its texts and its terms', async () => {
  const request = conditionRequest('at-once')
  const texts = ['one', 'two', 'three', 'four'].map((rules) => ({ ...request, metadata: { ...request.metadata, rules } }))
  const terms = texts.map((text, n) => ({ ...text, fee_rate_bps: n * 100 }))
  const replies = await Promise.all(terms.map((body) => venue.call('POST', '/operator/conditions', body)))
  const stood = terms.filter((_, n) => replies[n]!.status === 200)
  expect([stood.length, replies.filter(({ body }) => body.code === 'condition_exists').length]).toEqual([1, 3])
  const { condition_id } = replies.find(({ status }) => status === 200)!.body
  const shown = async () => (await send(running.url, 'GET', `/markets/${condition_id}`)).body
  const { fee_rate_bps, metadata } = stood[0]!
  expect(await shown()).toMatchObject({ fee_rate_bps, rules: metadata.rules })
  await running.restart()
  expect(await shown()).toMatchObject({ fee_rate_bps, rules: metadata.rules })
})

test('a tick gets finer, and never coarser', async () => {
  const { condition } = await registerMarket(running, 'finer')
  const change = async (tick_size: string) => venue.call('PATCH', `/operator/conditions/${condition}`, { tick_size })
  expect((await change('0.005')).body.minimum_tick_size).toBe(0.005)
  for (const coarser of ['0.01', '0.1']) {
    const { status, body } = await change(coarser)
    expect([status, body.code, body.error]).toEqual([400, 'invalid_price_tick', 'a tick only gets finer, and divides the one before'])
  }
})

test('of changes of different things at once every one stands', async () => {
  const { condition } = await registerMarket(running, 'changed-at-once')
  const metadata = { ...conditionRequest('changed-at-once').metadata, rules: 'Other rules.' }
  const changes = [{ metadata }, { resolution_status: 'proposed' }, { resolution_flagged: true }, { resolution_paused: true }]
  const replies = await Promise.all(changes.map((change) => venue.call('PATCH', `/operator/conditions/${condition}`, change)))
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect((await send(running.url, 'GET', `/markets/${condition}`)).body).toMatchObject({
    ...{ rules: 'Other rules.', resolution_status: 'proposed', resolution_flagged: true, resolution_paused: true },
  })
})

test('what was registered after a refusal is the same again, also in a server that starts again', async () => {
  const full = { slug: 'full-event', size: 2 }
  const member = (slug: string) => {
    const { metadata, ...rest } = conditionRequest(slug)
    return { ...rest, metadata: { ...metadata, event: { ...metadata.event, slug: 'full-event' } }, neg_risk_event: full }
  }
  for (const slug of ['full-first', 'full-second'])
    expect((await venue.call('POST', '/operator/conditions', member(slug))).status).toBe(200)
  expect((await venue.call('POST', '/operator/conditions', member('full-third'))).body.code).toBe('event_full')
  const { neg_risk_event: _, ...alone } = member('full-third')
  const registered = await venue.call('POST', '/operator/conditions', alone)
  expect(registered.status).toBe(200)
  await running.restart()
  expect(await venue.call('POST', '/operator/conditions', alone)).toMatchObject({ status: 200, body: registered.body })
})

test('an event has as many markets as it said, and no more', async () => {
  const request = (slug: string) => {
    const made = { ...conditionRequest(slug), neg_risk_event: { slug: 'race', size: 2 } }
    return { ...made, metadata: { ...made.metadata, event: { ...made.metadata.event, slug: 'race' } } }
  }
  const [one, two] = [
    await venue.call('POST', '/operator/conditions', request('race-a')),
    await venue.call('POST', '/operator/conditions', request('race-b')),
  ]
  expect(one.body.neg_risk_market_id).toMatch(/^0x[0-9a-f]{62}00$/)
  expect(two.body.neg_risk_market_id).toBe(one.body.neg_risk_market_id)
  const three = await venue.call('POST', '/operator/conditions', request('race-c'))
  expect([three.status, three.body.code]).toEqual([409, 'event_full'])
  expect((await send(running.url, 'GET', '/markets')).body.data.map((market: { market_slug: string }) => market.market_slug)).not.toContain(
    'race-c',
  )
})

test('shares are split and merged; after the end they are redeemed', async () => {
  const market = await registerMarket(running, 'ending')
  const before = Number((await balance(alice)).balance)
  expect((await alice.call('POST', '/positions/split', { market: market.condition, amount: '50' })).body).toMatchObject({
    success: true,
    balances: { tokens: { [market.yes]: '50', [market.no]: '50' } },
  })
  expect((await alice.call('POST', '/positions/merge', { market: market.condition, amount: '10' })).body.balances.tokens).toEqual({
    [market.yes]: '40',
    [market.no]: '40',
  })
  expect(Number((await balance(alice)).balance)).toBe(before - 40_000_000)
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
  expect(await balance(alice)).toMatchObject({ balance: String(before), reserved: '0' })
  expect((await send(running.url, 'GET', `/markets/${market.condition}`)).body).toMatchObject({
    closed: true,
    resolution_price: 1,
    tokens: [
      { winner: true, price: 1 },
      { winner: false, price: 0 },
    ],
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
  expect(await shares('split', '10.0', 'mine')).toBe('10')
  expect(await shares('merge', '4', 'mine')).toBe('6') // another thing asked for under the same name is another request
  expect(await shares('split', '3', 'mine')).toBe('9')
  expect(await shares('split', '10', 'yours')).toBe('19')
  const refused = await alice.call('POST', '/positions/merge', { market: market.condition, amount: '20', ref: 'early' })
  expect(refused.body.code).toBe('insufficient_shares')
  await shares('split', '1', 'more')
  expect(await shares('merge', '20', 'early')).toBe('0') // what was refused was never made
})

test('an `Idempotency-Key` makes one change of two signatures, and never two of one', async () => {
  const market = await registerMarket(running, 'retried')
  const split = async (body: object, name?: string, skew = 0) => {
    const headers: Record<string, string> = name === undefined ? {} : { 'Idempotency-Key': name }
    const { body: answer } = await alice.call('POST', '/positions/split', { market: market.condition, ...body }, { skew, headers })
    return answer.balances.tokens[market.yes]
  }
  expect(await split({ amount: '10' }, 'a')).toBe('10')
  expect(await split({ amount: '10' }, 'a', 1)).toBe('10') // signed anew
  expect(await split({ amount: '10' }, undefined, 1)).toBe('10') // whoever takes the header away, or names it otherwise, repeats nothing
  expect(await split({ amount: '10' }, 'b', 1)).toBe('10')
  expect(await split({ amount: '10' }, 'b', 2)).toBe('10')
  expect(await split({ amount: '3' }, 'a')).toBe('13') // another thing under the same name is another request
  expect(await split({ amount: '10' }, 'c', 3)).toBe('23')
})

test('a claim whose answer was lost is told again what it was paid, also after a restart, and nobody is paid twice', async () => {
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
  const after = (await balance(alice)).balance
  await running.restart()
  expect(await claim('{}', ofAll)).toEqual([200, 'true', rest])
  expect(await claim(one, ofOne)).toEqual([200, 'true', payout])
  const written = (await send(running.url, 'GET', '/status')).body.seq
  const anew = async (asked?: object) => (await alice.call('POST', '/positions/redeem', asked, { skew: 7 })).body.redeemed // of another second
  expect([await anew({ market: won.condition }), await anew()]).toEqual([[{ market: won.condition, payout: '0' }], []])
  const { body } = await send(running.url, 'GET', '/status')
  expect([body.seq, written > seq, (await balance(alice)).balance]).toEqual([written, true, after]) // nothing to pay is not written down
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
  expect((await balance(bob)).balance).toBe('100000000')
})
