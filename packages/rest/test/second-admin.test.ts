import { confirmResolution, proposeResolution } from '@augury/platform/resolution/decide'
import type { Resolver } from '@augury/platform/resolution/history'
import { expect, test } from 'vitest'
import { Browser, walletOf } from './browser.ts'
import { tradingSite } from './exchange.ts'

const lower = (number: number) => walletOf(number).address.toLowerCase()
const at = await tradingSite()
const { snow, rain } = at.markets
const signedIn = async (number: number) => {
  const browser = new Browser(at)
  await browser.signIn(walletOf(number))
  return browser
}
const ann = await signedIn(7000)
const bob = await signedIn(7001)
const puppet = await signedIn(7002)
const helper = await signedIn(7003)
// Like two wallets of ADMIN_WALLETS, which no admin added.
await at.rows('insert into admin_wallet (address, created_at) values (?, now())', [lower(7000)])
const set = (who: Browser, secondAdmin: boolean) => who.call('PUT', '/admin/api/settings/resolution', { secondAdmin })
const isOn = async () => (await ann.get('/admin/api/settings/resolution')).body.data.values.secondAdmin
const letIn = async (who: Browser, number: number) =>
  expect((await who.post('/admin/api/admins', { address: walletOf(number).address })).body).toEqual({ success: true })
const resolve = (who: Browser, body: object, event = snow.event) => who.post(`/admin/api/events/${event}/resolve`, body)
const propose = (who: Browser, yes_pays: number, { event, condition } = snow) =>
  resolve(who, { step: 'propose', answers: [{ condition_id: condition, yes_pays }], evidence: 'Seen.', dispute_seconds: 0 }, event)
const own = { status: 409, body: { success: false, code: 'own_admin' } }

test('one admin and those they added do not count as two: a second admin cannot be required then', async () => {
  await letIn(ann, 7002)
  expect(await set(ann, true)).toMatchObject({ status: 409, body: { code: 'second_admin_missing' } })
  await at.rows('insert into admin_wallet (address, created_at) values (?, now())', [lower(7001)])
  expect((await set(ann, true)).status).toBe(200)
})

test('an admin cannot be the second one for the admin who added them, directly or indirectly', async () => {
  await letIn(puppet, 7003)
  expect((await propose(ann, 0)).status).toBe(200)
  for (const who of [ann, puppet, helper]) expect(await resolve(who, { step: 'confirm' })).toMatchObject(own)
  expect((await resolve(puppet, { step: 'cancel' })).status).toBe(200)
  expect((await propose(helper, 0)).status).toBe(200)
  for (const who of [ann, puppet, helper]) expect(await resolve(who, { step: 'confirm' })).toMatchObject(own)
  // Nor when the one in between is removed.
  expect((await ann.call('DELETE', `/admin/api/admins/${lower(7002)}`)).body).toEqual({ success: true })
  for (const who of [ann, helper]) expect(await resolve(who, { step: 'confirm' })).toMatchObject(own)
  await letIn(ann, 7002)
})

test('one admin cannot switch it off in any way, nor can those they added', async () => {
  for (const who of [ann, ann, puppet, helper]) expect(await set(who, false)).toMatchObject(own)
  expect(await ann.post('/admin/api/settings/resolution/restore', { version: 0 })).toMatchObject(own)
  const { data } = (await ann.get('/admin/api/audit-log?action=settings_changed&target=resolution')).body
  expect(await ann.post(`/admin/api/audit-log/${data[0].id}/undo`)).toMatchObject(own)
  expect(await isOn()).toBe(true)
  const asked = (await ann.get('/admin/api/audit-log?action=settings_asked')).body
  expect(asked.data[0]).toMatchObject({ can_undo: false, details: { target: 'resolution', after: { secondAdmin: false } } })
})

test('two admins switch it off by requesting it within a day; requests from before it was last on do not count', async () => {
  at.clock.advance(86_401_000)
  for (const [number, who] of [ann, bob, puppet, helper].entries()) await who.signIn(walletOf(7000 + number))
  expect(await set(bob, false)).toMatchObject(own)
  expect((await set(puppet, false)).status).toBe(200)
  expect(await isOn()).toBe(false)
  at.clock.advance(1000)
  expect((await set(ann, true)).status).toBe(200)
  expect(await set(ann, false)).toMatchObject(own)
})

test('of two concurrent requests, one is the first and the other switches it off', async () => {
  at.clock.advance(86_401_000)
  for (const [number, who] of [ann, bob, puppet].entries()) await who.signIn(walletOf(7000 + number))
  const answers = await Promise.all([set(ann, false), set(bob, false)])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  at.clock.advance(1000)
  expect((await set(bob, true)).status).toBe(200)
})

test('while it is on, one of the last two such admins is not removed', async () => {
  const remove = (number: number) => ann.call('DELETE', `/admin/api/admins/${lower(number)}`)
  expect(await remove(7001)).toMatchObject({ status: 409, body: { success: false, code: 'second_admin_missing' } })
  await at.rows('insert into admin_wallet (address, created_at) values (?, now())', [lower(7004)])
  expect((await remove(7004)).body).toEqual({ success: true })
  await at.rows('insert into admin_wallet (address, added_by_id, created_at) select ?, id, now() from users where address = ?', [
    lower(7004),
    lower(7001),
  ])
  expect((await remove(7004)).body).toEqual({ success: true })
  expect((await bob.get('/admin/api/admins')).status).toBe(200)
})

test('who proposes anew after the clock was set back is the one who cannot confirm it', async () => {
  const MINUTE = 60_000
  at.clock.advance(MINUTE)
  expect((await propose(ann, 0, rain)).status).toBe(200)
  at.clock.advance(-MINUTE)
  expect((await resolve(bob, { step: 'cancel' }, rain.event)).status).toBe(200)
  expect((await propose(bob, 1, rain)).status).toBe(200)
  expect(await resolve(bob, { step: 'confirm' }, rain.event)).toMatchObject(own)
  expect((await resolve(bob, { step: 'cancel' }, rain.event)).status).toBe(200)
  const steps = await at.rows('select step from resolution_step where market_condition_id = ? order by at', [rain.condition])
  expect(steps.map(({ step }) => step)).toEqual(['proposed', 'cancelled', 'proposed', 'cancelled'])
})

test("a series' proposal needs no admin, unless an admin changed its source or what is asked: then it needs another one", async () => {
  const inStep = (act: (em: ReturnType<typeof at.site.em>) => Promise<void>) => at.site.em().transactional(act)
  const series = (slug: string): Resolver => ({ kind: 'series', slug })
  const says = (by: Resolver, conditionId: string) =>
    inStep((em) => proposeResolution(em, by, { conditionId, weight: 10_000, disputeSeconds: 0 }, at.site.now()))
  const confirms = (by: Resolver, conditionId: string, after = () => {}) =>
    inStep((em) => confirmResolution(em, by, { conditionId }, at.site.now()).then(after))
  const terms = { instrument: 'BTC/USD', source: 'oracle_a', display_name: 'Bitcoin', symbol_a: 'BTCUSDT', symbol_b: '' }
  const usual = { enabled: true, recurring: false, category: 'crypto', ahead: 2, settlement_seconds: 300, dispute_seconds: 600 }
  const put = (symbol_a: string) => ann.call('PUT', '/admin/api/price-series/btc-usd-5m', { ...terms, ...usual, symbol_a })
  for (const symbol of ['BTCUSDT', 'DOGEUSDT']) expect((await put(symbol)).status).toBe(200)

  await says(series('eth-usd-5m'), rain.condition)
  const undone = () => {
    throw new Error('enough')
  }
  await expect(confirms(series('eth-usd-5m'), rain.condition, undone)).rejects.toThrow('enough')
  expect((await resolve(bob, { step: 'cancel' }, rain.event)).status).toBe(200)
  const markets = [{ condition_id: rain.condition, question: 'Will it not rain?', short_title: '' }]
  expect((await ann.call('PATCH', `/admin/api/events/${rain.event}`, { markets })).status).toBe(200)
  await says(series('eth-usd-5m'), rain.condition)
  await expect(confirms(series('eth-usd-5m'), rain.condition)).rejects.toMatchObject({ code: 'own_admin' })
  expect((await resolve(bob, { step: 'cancel' }, rain.event)).status).toBe(200)

  expect((await resolve(bob, { step: 'cancel' })).status).toBe(200)
  await says(series('btc-usd-5m'), snow.condition)
  await expect(confirms(series('btc-usd-5m'), snow.condition)).rejects.toMatchObject({ code: 'own_admin' })
  for (const who of [ann, puppet]) expect(await resolve(who, { step: 'confirm' })).toMatchObject(own)
  expect((await resolve(bob, { step: 'confirm' })).body).toEqual({ success: true })
})

test('the second admin confirms only the proposal they saw, not one that replaced it', async () => {
  at.clock.advance(1000)
  const seen = { step: 'confirm', answers: [{ condition_id: rain.condition, yes_pays: 1 }] }
  expect((await propose(ann, 1, rain)).status).toBe(200)
  expect((await resolve(ann, { step: 'cancel' }, rain.event)).status).toBe(200)
  expect((await propose(ann, 0, rain)).status).toBe(200)
  expect(await resolve(bob, seen, rain.event)).toMatchObject({ status: 409, body: { code: 'changed_meanwhile' } })
  expect((await resolve(bob, { ...seen, answers: [{ ...seen.answers[0], yes_pays: 0 }] }, rain.event)).body).toEqual({ success: true })
  expect(at.bugs).toEqual([])
})
