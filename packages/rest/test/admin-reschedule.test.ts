import { expect, test } from 'vitest'
import { Browser, walletOf } from './browser.ts'
import { tradingSite } from './exchange.ts'
import { order, trader } from './traders.ts'

const at = await tradingSite()
const admin = new Browser(at)
await admin.signIn(walletOf(5100))
await at.rows('insert into admin_wallet (address, created_at) values (?, now())', [walletOf(5100).address.toLowerCase()])
const { browser } = await trader(at)
const { rain, snow } = at.markets
const market = async (condition: string) => (await fetch(`${at.clobUrl}/markets/${condition}`)).json()
// The exchange has closed it for good, which the database here has not seen yet.
const { exchange } = await at.site.exchange.operator()
await exchange.closeCondition({ params: { id: snow.condition } })

const reschedule = (id: string, body: object) => admin.post(`/admin/api/events/${id}/reschedule`, body)
const soon = (hours: number) => new Date(at.clock.now() + hours * 3_600_000).toISOString()

test('an end that moves is the same in event, market, rules, history and exchange, and trading goes on', async () => {
  const { rules } = (await admin.get(`/admin/api/events/${rain.event}`)).body.data.event
  const end = soon(500)
  const reason = 'The match was postponed: https://league.example/42'
  for (const _ of [1, 2]) expect(await reschedule(rain.event, { end_time: end, reason })).toMatchObject({ status: 200 })
  const { event, markets, changes } = (await admin.get(`/admin/api/events/${rain.event}`)).body.data
  expect([event.end_date, markets[0].end_time]).toEqual([end, end])
  expect(event.rules.startsWith(rules)).toBe(true)
  expect(event.rules.match(/Changed on .* UTC: trading ends on .* UTC instead of .* UTC\. The match was postponed/g)).toHaveLength(1)
  expect(markets[0].resolution.steps).toMatchObject([{ step: 'rescheduled', deadline_at: end, note: reason, actor_kind: 'operator' }])
  expect(changes.filter(({ action }: { action: string }) => action === 'event_rescheduled')).toHaveLength(1)
  expect(await market(rain.condition)).toMatchObject({ end_date_iso: end, mode: 'open', event: { end_date: end } })
  expect((await browser.post('/api/orders', order(rain.yes, '0.3', '10'))).status).toBe(200)
})

test.each([
  ['a past end', () => rain.event, () => ({ end_time: soon(-1), reason: 'Late.' }), 400, 'invalid_payload'],
  ['no reason', () => rain.event, () => ({ end_time: soon(1), reason: ' ' }), 400, 'invalid_payload'],
  ['a reason that overfills the rules', () => rain.event, () => ({ end_time: soon(1), reason: 'x'.repeat(2001) }), 400, 'invalid_payload'],
  [
    'a market of another event',
    () => rain.event,
    () => ({ end_time: soon(1), reason: 'Late.', condition_ids: [snow.condition] }),
    404,
    'market_not_found',
  ],
  ['an unknown event', () => crypto.randomUUID(), () => ({ end_time: soon(1), reason: 'Late.' }), 404, 'event_not_found'],
  ['a market that the exchange closed', () => snow.event, () => ({ end_time: soon(1), reason: 'Late.' }), 409, 'market_closed'],
] as const)('an end does not move with %s', async (_, id, body, status, code) => {
  const before = await at.rows('select condition_id, end_time, rules from market order by condition_id')
  expect(await reschedule(id(), body())).toMatchObject({ status, body: { code } })
  expect(await at.rows('select condition_id, end_time, rules from market order by condition_id')).toEqual(before)
  expect(at.bugs).toEqual([])
})

test('one market is paused and goes on by itself, but not while its whole event is paused', async () => {
  const turn = (way: 'pause' | 'resume', body?: object) => admin.post(`/admin/api/events/${rain.event}/${way}`, body)
  const one = { condition_ids: [rain.condition.toUpperCase().replace('0X', '0x')] }
  const shown = async () => {
    const { event, markets } = (await admin.get(`/admin/api/events/${rain.event}`)).body.data
    return [event.paused, markets[0].is_active, (await market(rain.condition)).mode]
  }
  for (const _ of [1, 2]) expect((await turn('pause', one)).body).toEqual({ success: true })
  expect(await shown()).toEqual([false, false, 'paused'])
  expect(await browser.post('/api/orders', order(rain.yes, '0.3', '11'))).toMatchObject({ status: 409, body: { code: 'market_paused' } })
  expect((await turn('resume', one)).body).toEqual({ success: true })
  expect(await shown()).toEqual([false, true, 'open'])
  const { changes } = (await admin.get(`/admin/api/events/${rain.event}`)).body.data
  expect(
    changes.filter(({ details }: { details: { after?: { markets?: unknown } } }) => Array.isArray(details.after?.markets)),
  ).toHaveLength(2)

  await turn('pause')
  expect(await turn('resume', one)).toMatchObject({ status: 409, body: { code: 'event_paused' } })
  await turn('resume')
  expect(await shown()).toEqual([false, true, 'open'])
  expect(await turn('pause', { condition_ids: [snow.condition] })).toMatchObject({ status: 404, body: { code: 'market_not_found' } })
  expect(await turn('pause', { condition_ids: [] })).toMatchObject({ status: 400, body: { code: 'invalid_payload' } })
})
