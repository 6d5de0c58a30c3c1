import { useCases } from '@augury/platform/operations'
import { eventually } from '@augury/testing/eventually'
import { expect, test } from 'vitest'
import { memberOn } from './as-member.ts'
import { Browser, walletOf } from './browser.ts'
import { tradingSite } from './exchange.ts'
import { order, place, trader } from './traders.ts'

const at = await tradingSite()
const { rain } = at.markets
const admin = new Browser(at)
await admin.signIn(walletOf(5400))
await at.rows('insert into admin_wallet (address, created_at) values (?, now())', [walletOf(5400).address.toLowerCase()])
const holder = await memberOn(at, (await trader(at)).browser)
const patch = (body: unknown) => admin.call('PATCH', `/admin/api/events/${rain.event}`, body)
const refused = { status: 409, body: { code: 'rules_only_grow' } }

/** Gives an account shares that the worker has not synced yet. */
async function trade() {
  await useCases.splitPosition(at.site, holder, { body: { market: rain.condition, amount: '5' } } as never)
  const { getVolumes } = at.site.exchange.anybody
  await eventually(async () =>
    expect(await getVolumes({ body: { conditions: [{ condition_id: rain.condition }] } })).toMatchObject([{ open_interest: '5' }]),
  )
  expect(await at.rows('select open_interest from market where condition_id = ?', [rain.condition])).toEqual([{ open_interest: '0' }])
}

test('the question of a market can be corrected before the first trade, here and on the exchange', async () => {
  const [before] = (await at.rows('select question, short_title from market where condition_id = ?', [rain.condition])) as [object]
  const market = (question: string, short_title = 'Rain') => ({ condition_id: rain.condition, question, short_title })
  const seen = { markets: [{ condition_id: rain.condition, ...before }] }
  const wanted = { markets: [market('Will it rain in Rome?')], seen }
  for (const _ of [1, 2]) expect((await patch(wanted)).body).toMatchObject({ success: true }) // again, as its answer was lost
  expect(await patch({ markets: [market('Will it rain in Oslo?')], seen })).toMatchObject({
    status: 409,
    body: { code: 'changed_meanwhile' },
  })
  expect(await patch({ markets: [{ ...market('Rain?'), condition_id: `0x${'0'.repeat(64)}` }] })).toMatchObject({ status: 404 })
  const there = async () => (await fetch(`${at.clobUrl}/markets/${rain.condition}`)).json()
  expect(await there()).toMatchObject({ question: 'Will it rain in Rome?' })
  const { markets, changes } = (await admin.get(`/admin/api/events/${rain.event}`)).body.data
  expect(markets).toMatchObject([{ question: 'Will it rain in Rome?', short_title: 'Rain' }])
  expect(changes).toMatchObject([{ action: 'event_changed', details: { before: seen, after: { markets: wanted.markets } } }])
  expect((await admin.post(`/admin/api/audit-log/${changes[0].id}/undo`)).body).toEqual({ success: true })
  expect(await there()).toMatchObject(before)
  expect((await patch({ title: 'Rain?', seen })).body.data).toMatchObject({ title: 'Rain?' })
})

test('an order that waits to be filled is to get what it was placed for: until it is gone, texts do not change', async () => {
  const { browser } = await trader(at)
  expect((await patch({ rules: 'It rained.' })).body.success).toBe(true)
  const { getBooks } = at.site.exchange.anybody // a robot beside the site asks for all that anybody may
  await Promise.allSettled(Array.from({ length: 110 }, () => getBooks({ body: [] })))
  for (const token of [rain.yes, rain.no]) {
    const { orderId } = (await place(browser, order(token, '0.4', '10'))).body
    expect(await patch({ rules: 'It never rains.' })).toMatchObject(refused)
    expect(await patch({ markets: [{ condition_id: rain.condition, question: 'Snow?', short_title: '' }] })).toMatchObject(refused)
    expect((await browser.call('DELETE', `/api/orders/${orderId}`)).status).toBe(200)
    expect((await patch({ rules: `It rained, by ${token}.` })).body.success).toBe(true)
  }
})

test('rules are append-only from the first trade on, also before the worker has heard of it', async () => {
  const rules = 'It rained if the station says so.'
  expect((await patch({ rules: 'It rained.' })).body.success).toBe(true)
  expect((await patch({ rules })).body.success).toBe(true)
  await trade()
  expect(await patch({ rules: 'It never rains.' })).toMatchObject(refused)
  expect(await patch({ markets: [{ condition_id: rain.condition, question: 'Snow?', short_title: '' }] })).toMatchObject(refused)
  expect((await patch({ rules: `${rules} Drizzle counts.` })).body.success).toBe(true)
})

test('there were no unexpected failures', () => {
  expect(at.bugs).toEqual([])
})
