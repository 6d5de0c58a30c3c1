import { afterAll, beforeAll, expect, test } from 'vitest'
import { Caller, send } from './caller.ts'
import { conditionRequest, fund, registerMarket } from './market.ts'
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
  const request = conditionRequest('registered', { fee_rate_bps: 700, min_size: '1' })
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
      question: 'Will registered?',
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
      end_date_iso: '2031-01-01T00:00:00.000Z',
      resolution_deadline_at: '2031-01-08T00:00:00.000Z',
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
  ['an event that is not the one of its texts', { neg_risk_event: { slug: 'elsewhere', size: 2 } }],
  ['one outcome', { outcomes: ['Yes'] }],
  ['an end that is no time', { end_time: 'soon' }],
])('not registered: %s', async (_, changes) => {
  const reply = await venue.call('POST', '/operator/conditions', conditionRequest('refused', changes))
  expect([reply.status, reply.body.code]).toEqual([400, 'invalid_payload'])
  expect(
    (await send(running.url, 'GET', '/markets')).body.data.filter((market: { market_slug: string }) => market.market_slug === 'refused'),
  ).toEqual([])
})

test('an event has as many markets as it said, and no more', async () => {
  const request = (slug: string) => {
    const made = conditionRequest(slug, { neg_risk_event: { slug: 'race', size: 2 } })
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

test('money in and out is unique by its ref, for ever', async () => {
  const address = wallets.carol.address
  const carol = await Caller.of(running.url, wallets.carol)
  const deposit = { address, amount: '5000000', ref: 'bank-1' }
  expect((await venue.call('POST', '/operator/deposits', deposit)).body).toEqual({ ref: 'bank-1', status: 'deposited', balance: '5' })
  expect((await venue.call('POST', '/operator/deposits', deposit)).body.balance).toBe('5')
  expect((await venue.call('POST', '/operator/deposits', { ...deposit, amount: '1' })).body.code).toBe('duplicate_ref')
  await running.restart()
  expect((await venue.call('POST', '/operator/deposits', deposit)).body.balance).toBe('5')

  const withdrawal = { address, amount: '2000000', ref: 'out-1' }
  expect((await venue.call('POST', '/operator/withdrawals', withdrawal)).body).toEqual({
    ref: 'out-1',
    status: 'withdrawing',
    balance: '3',
  })
  expect((await venue.call('POST', '/operator/withdrawals', withdrawal)).body.balance).toBe('3')
  expect(await balance(carol)).toMatchObject({ balance: '5000000', available: '3000000', reserved: '2000000' })
  expect((await carol.call('GET', '/holds')).body).toEqual([{ order_id: '', asset: 'USDC', amount: '2000000', reason: 'withdrawal' }])
  expect((await venue.call('POST', '/operator/withdrawals/out-1/settle')).body).toEqual({ ref: 'out-1', status: 'settled', balance: '3' })
  expect((await venue.call('POST', '/operator/withdrawals/out-1/settle')).body.status).toBe('settled')
  expect((await venue.call('POST', '/operator/withdrawals/out-1/return')).body.code).toBe('duplicate_ref')
  expect((await venue.call('POST', '/operator/withdrawals/never/return')).body.code).toBe('unknown_ref')
  await venue.call('POST', '/operator/withdrawals', { ...withdrawal, ref: 'out-2' })
  expect((await venue.call('POST', '/operator/withdrawals/out-2/return')).body).toEqual({ ref: 'out-2', status: 'returned', balance: '3' })
  expect((await venue.call('POST', '/operator/withdrawals', { ...withdrawal, amount: '4000000', ref: 'out-3' })).body).toMatchObject({
    code: 'insufficient_balance',
  })
  expect((await venue.call('POST', '/operator/deposits', { ...deposit, amount: '0', ref: 'bank-2' })).body.code).toBe('invalid_amount')
})

test('modes: cancel-only lets nothing in, paused lets nothing happen', async () => {
  const market = await registerMarket(running, 'modes')
  const order = { tokenId: market.yes, side: 'BUY', orderType: 'GTC', price: '0.1', size: '5' }
  const { orderId } = (await alice.call('POST', '/order', { ...order, clientOrderId: 'modes' })).body
  expect((await venue.call('POST', '/operator/cancel-only')).body.mode).toBe('cancel_only')
  const refused = await alice.call('POST', '/order', order)
  expect([refused.status, refused.body]).toMatchObject([
    503,
    { code: 'cancel_only', error: 'Trading is currently cancel-only. New orders are not accepted, but cancels are allowed.' },
  ])
  expect((await alice.call('DELETE', '/order', { orderId })).status).toBe(200)
  const { since } = (await send(running.url, 'GET', '/status')).body
  const paused = (await venue.call('POST', '/operator/pause')).body
  expect([paused.mode, paused.since > since]).toEqual(['paused', true])
  expect((await alice.call('POST', '/order', order)).body.code).toBe('venue_paused')
  expect((await venue.call('POST', '/operator/resume')).body.mode).toBe('normal')
  expect((await alice.call('POST', '/order', order)).status).toBe(200)
})

test('accounts: a referrer is the first one, a ban is the venue’s, a tier raises budgets', async () => {
  const carol = await Caller.of(running.url, wallets.carol, 'operator')
  const path = `/operator/accounts/${wallets.bob.address}`
  expect((await carol.call('PUT', path, { referrer: wallets.carol.address })).body.code).toBe('insufficient_scope') // it brought nobody
  expect((await venue.call('PUT', path, { referrer: wallets.alice.address })).body).toEqual({
    ...{ address: wallets.bob.address, referrer: wallets.alice.address, tier: 'standard', stp_group: null, banned: false },
  })
  expect((await venue.call('PUT', path, { referrer: wallets.carol.address })).body.referrer).toBe(wallets.alice.address)
  expect((await carol.call('PUT', path, { banned: true })).body.code).toBe('insufficient_scope')
  expect((await venue.call('PUT', path, { banned: true, tier: 'maker' })).body).toMatchObject({ banned: true, tier: 'maker' })
  const bob = await Caller.of(running.url, wallets.bob)
  const market = await registerMarket(running, 'banned')
  const refused = await bob.call('POST', '/order', { tokenId: market.yes, side: 'BUY', orderType: 'GTC', price: '0.1', size: '5' })
  expect([refused.status, refused.body]).toMatchObject([403, { error: `'${wallets.bob.address}' address banned`, code: 'account_banned' }])
  const cancel = await bob.call('DELETE', '/order', { orderId: `0x${'12'.repeat(32)}` })
  expect(cancel.headers.get('ratelimit-limit')).toBe('6000')
})

test('a server of our own reads books without limit, whoever it reads them for', async () => {
  await venue.call('PUT', `/operator/accounts/${wallets.operator.address}`, { tier: 'internal' })
  const replies = await Promise.all(
    Array.from({ length: 120 }, () => venue.call('POST', '/books', [], { headers: { 'x-client-address': '198.51.100.9' } })),
  )
  expect(replies.map(({ status }) => status)).toEqual(Array(120).fill(200))
  // Somebody else's word for an address is not believed, and a wrong signature is nobody's.
  const claimed = await alice.call('POST', '/books', [], { headers: { 'x-client-address': '198.51.100.9' } })
  const forged = await venue.call('POST', '/books', [], { skew: -60 })
  expect([claimed.headers.get('ratelimit-remaining'), forged.headers.get('ratelimit-remaining')]).toEqual(['99', '98'])
})

test('the faucet gives at most 100000 a day to one address, and nothing outside the sandbox', async () => {
  const give = (amount: string) => send(running.url, 'POST', '/sandbox/faucet', JSON.stringify({ address: `0x${'5a'.repeat(20)}`, amount }))
  expect((await give('99999.5')).body).toEqual({ balance: '99999.5' })
  expect((await give('0.6')).body).toMatchObject({ code: 'faucet_limit' })
  for (const [amount, error] of [
    ['0', 'the amount must be more than 0'],
    ['100000.01', 'the amount must be at most 100000'],
  ] as const) {
    const reply = await give(amount)
    expect([reply.status, reply.body]).toEqual([400, { error, code: 'invalid_amount' }])
  }
  expect((await give('0.5')).body).toEqual({ balance: '100000' })
  expect((await give('0')).body.code).toBe('invalid_amount')
  await running.restart()
  expect((await give('0.01')).body).toMatchObject({ code: 'faucet_limit' })
})

test('gifts asked for at once are counted one after the other', async () => {
  const give = () => send(running.url, 'POST', '/sandbox/faucet', JSON.stringify({ address: `0x${'6b'.repeat(20)}`, amount: '40000' }))
  const given = await Promise.all([give(), give(), give(), give()])
  expect(given.map(({ status }) => status).sort()).toEqual([200, 200, 429, 429])
})

test('what the service says of itself', async () => {
  const get = async (path: string) => (await send(running.url, 'GET', path)).body
  expect([await get('/'), await get('/ok'), await get('/version'), await get('/healthz'), await get('/readyz')]).toEqual([
    'OK',
    'OK',
    { version: 2 },
    { status: 'ok' },
    { status: 'ok', history: 'following' },
  ])
  const asked = Date.now() / 1000
  const time = await get('/time')
  expect(time > asked - 2 && time < Date.now() / 1000 + 2).toBe(true) // in seconds, by a clock that may lag a little
  expect(await get('/status')).toMatchObject({
    mode: 'normal',
    writer: 'primary',
    epoch: 1,
    sandbox: true,
    chain_id: 80002,
    seq: running.server.venue.exchange.seq,
  })
})

test('what was credited to whomever is a list that goes on where it ended, for those who manage the venue', async () => {
  const from = (await venue.call('GET', '/operator/deposits')).body.seq
  const list = async (query: string) => (await venue.call('GET', `/operator/deposits?${query}`)).body
  await fund(running.url, wallets.alice.address, '1.5')
  await venue.call('POST', '/operator/deposits', { address: wallets.bob.address, amount: '2000000', ref: 'bank-list' })
  await venue.call('POST', '/operator/withdrawals', { address: wallets.bob.address, amount: '1', ref: 'out-list' })
  const all = await list(`after=${from}`)
  expect(all).toMatchObject({
    data: [
      { address: wallets.alice.address, amount: '1500000' },
      { address: wallets.bob.address, amount: '2000000' },
    ],
    next_cursor: 'LTE=',
  })
  const first = await list(`after=${from}&limit=1`)
  expect([first.data, first.seq]).toEqual([all.data.slice(0, 1), all.data[0].seq])
  expect((await list(`limit=1&next_cursor=${first.next_cursor}`)).data).toEqual(all.data.slice(1))
  expect((await alice.call('GET', '/operator/deposits')).body.code).toBe('insufficient_scope')
})
