import { conditionRequest } from '@augury/testing/condition-request'
import { expect, test } from 'vitest'
import { Caller, send } from './caller.ts'
import { funded, registerMarket } from './market.ts'
import { runningServer, wallets } from './running-server.ts'

const running = await runningServer({ OPERATOR_ADDRESSES: `${wallets.operator.address},${wallets.carol.address}` })
const venue = await Caller.of(running.url, wallets.operator, 'venue')
const alice = await Caller.of(running.url, wallets.alice)

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
    tokens: [{ token_id: first.body.tokens[0].token_id, outcome: 'Yes', price: null, winner: false }, { outcome: 'No' }],
  })
  const token = first.body.tokens[1].token_id
  const get = async (path: string) => (await send(running.url, 'GET', path)).body
  const { condition_id } = first.body
  expect((await get(`/markets/${condition_id}`)).tokens[0].price).toBe(null)
  expect((await get(`/compat/markets/${condition_id}`)).tokens[0].price).toBe(0)
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

const dated = (start_date: string | null, end_date: string | null) => {
  const { metadata } = conditionRequest('dated')
  return { ...metadata, event: { ...metadata.event, start_date, end_date } }
}

test.each(['0000-01-01T00:00:00Z', '1000-01-01T00:00:00+01:00', '9999-01-01T00:00:00Z', '9999-12-31T23:59:59-12:00'])(
  'no market has a time that is not written with four digits everywhere, also a week later: %s',
  async (time) => {
    const refused = (path: string) => ({
      status: 400,
      body: { code: 'invalid_payload', details: [{ path, problem: 'expected a year from 1000 to 9998' }] },
    })
    const register = (changes: object) => venue.call('POST', '/operator/conditions', { ...conditionRequest('never'), ...changes })
    expect(await register({ end_time: time })).toMatchObject(refused('end_time'))
    expect(await register({ metadata: dated(time, null) })).toMatchObject(refused('metadata.event.start_date'))
    expect(await register({ metadata: dated(null, time) })).toMatchObject(refused('metadata.event.end_date'))
    const { condition } = await registerMarket(running, 'timely')
    for (const name of ['end_time', 'resolution_deadline_at'])
      expect(await venue.call('PATCH', `/operator/conditions/${condition}`, { [name]: time })).toMatchObject(refused(name))
  },
)

test.each(['1000-01-01T00:00:00Z', '9998-12-31T23:59:59Z'])('a market whose times are %s is read like any other', async (time) => {
  const { condition } = await registerMarket(running, `of-${time.slice(0, 4)}`, { end_time: time, metadata: dated(time, time) })
  const { status, body } = await send(running.url, 'GET', `/markets/${condition}`)
  expect([status, new Date(body.end_date_iso), body.event.end_date]).toEqual([200, new Date(time), time])
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

test('nothing new is traded after the end of a market, closed or not; older orders are listed and can be cancelled', async () => {
  const bob = await funded(running.url, wallets.bob, '100')
  const { condition, yes } = await registerMarket(running, 'ended')
  const ends = (end_time: string) => venue.call('PATCH', `/operator/conditions/${condition}`, { end_time })
  const bid = (clientOrderId: string) => ({ tokenId: yes, side: 'BUY', orderType: 'GTC', price: '0.4', size: '10', clientOrderId })
  const place = (name: string) => bob.call('POST', '/order', bid(name))
  const refused = { status: 409, body: { error: 'the market is closed', code: 'market_closed', orderId: expect.any(String) } }

  const { orderId } = (await place('before')).body
  await ends(new Date().toISOString())
  expect(await place('after')).toMatchObject(refused)
  expect(await bob.call('POST', '/order/replace', { cancel: orderId, order: bid('instead') })).toMatchObject(refused)
  expect(await place('before')).toMatchObject({ status: 200, body: { orderId, state: 'live' } })
  expect((await bob.call('DELETE', '/order', { orderId })).status).toBe(200)
  await ends('2099-01-01T00:00:00Z')
  expect((await place('after')).body.state).toBe('live')
})

test('a market whose time is over says that it takes no orders, wherever it is shown, and is no more among those that do', async () => {
  const { condition } = await registerMarket(running, 'over')
  const read = async (path: string) => (await send(running.url, 'GET', path)).body
  const listed = async (list: string) =>
    (await read(list)).data.find(({ condition_id }: { condition_id: string }) => condition_id === condition)?.accepting_orders
  const shown = async () => ({
    all: await Promise.all(['/markets', '/simplified-markets', '/compat/markets'].map(listed)),
    sampling: await Promise.all(['/sampling-markets', '/sampling-simplified-markets'].map(listed)),
    one: [(await read(`/markets/${condition}`)).accepting_orders, (await read(`/clob-markets/${condition}`)).ao],
    catalogue: [(await read('/gamma/markets/slug/over')).acceptingOrders],
  })
  expect(await shown()).toEqual({ all: [true, true, true], sampling: [true, true], one: [true, true], catalogue: [true] })
  const end_time = new Date().toISOString()
  const { body } = await venue.call('PATCH', `/operator/conditions/${condition}`, { end_time })
  expect(body).toMatchObject({ mode: 'open', active: true, accepting_orders: false })
  const over = { all: [false, false, false], sampling: [undefined, undefined], one: [false, false], catalogue: [false] }
  expect(await shown()).toEqual(over)
})

test('an event whose registration was interrupted for so long that a market of it ended is completed all the same', async () => {
  const part = (name: string, end_time: string) => {
    const { metadata } = conditionRequest(name)
    const neg_risk_event = { slug: 'late', size: 2 }
    return registerMarket(running, name, {
      end_time,
      neg_risk_event,
      metadata: { ...metadata, event: { ...metadata.event, slug: 'late' } },
    })
  }
  const other = await part('late-open', '2099-01-01T00:00:00Z')
  const decide = ({ condition }: { condition: string }, weights: number[]) =>
    venue.call('POST', `/operator/conditions/${condition}/resolve`, { weights })
  expect(await decide(other, [0, 10_000])).toMatchObject({ status: 409, body: { code: 'event_incomplete' } })
  const ended = await part('late-ended', '2020-01-01T00:00:00Z')
  const bid = { tokenId: ended.yes, side: 'BUY', orderType: 'GTC', price: '0.4', size: '10' }
  expect(await alice.call('POST', '/order', bid)).toMatchObject({ status: 409, body: { code: 'market_closed' } })
  expect((await send(running.url, 'GET', `/markets/${ended.condition}`)).body.accepting_orders).toBe(false)
  expect(await decide(other, [0, 10_000])).toMatchObject({ status: 200, body: { mode: 'resolved' } })
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
