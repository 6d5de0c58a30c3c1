import { refusalCodesOf } from '@augury/wire/documents/openapi'
import { type VenueOperationName, venueOperations } from '@augury/wire/operations/venue'
import { type RefusalCode, refusals } from '@augury/wire/refusals'
import { expect, test } from 'vitest'
import { refusingExchange } from '../../platform/test/refusing-exchange.ts'
import { platformApp } from '../src/platform.ts'
import { type Answered, Browser, walletOf } from './browser.ts'
import { enabling, tradingSite } from './exchange.ts'
import { order, trader } from './traders.ts'

const at = await tradingSite()
const { rain } = at.markets
await at.rows('insert into admin_wallet (address, created_at) values (?, now())', [walletOf(6600).address.toLowerCase()])
const { browser, wallet, user } = await trader(at)
const admin = new Browser(at)
await admin.signIn(walletOf(6600))
await admin.call('PUT', '/admin/api/settings/general', { feeRecipientWallet: walletOf(6601).address })
await admin.call('PUT', '/admin/api/settings/general', { feeRecipientWallet: '' })
await admin.post('/admin/api/categories', { name: 'Weather', slug: 'weather', is_main_category: true })

/** The same site with an exchange with scripted answers. */
let asked: VenueOperationName[] = []
let say: (operation: VenueOperationName) => RefusalCode | null = () => null
const exchange = refusingExchange(at.site.exchange, (operation) => {
  asked.push(operation)
  return say(operation)
})
const app = platformApp({ site: { ...at.site, exchange }, onBug: (error) => void at.bugs.push(error) })
const onRefusing = ({ jar }: Browser) => {
  const copy = new Browser({ ...at, app })
  for (const [name, value] of jar) copy.jar.set(name, value)
  return copy
}
const [member, operator] = [onRefusing(browser), onRefusing(admin)]

/** Refusals that only a faulty client gets, and those of calls the site does not make. */
const never: ReadonlySet<string> = new Set([
  'invalid_payload',
  'invalid_json',
  'too_many_items',
  'payload_too_large',
  'unsupported_media_type',
])
const neverOf: Readonly<Record<string, readonly RefusalCode[]>> = {
  // The keys of members trade, and keep what their owners ask for from meeting their own orders.
  ...Object.fromEntries(
    ['cancelOrder', 'listOpenOrders', 'listEventOpenOrders', 'deleteTradingCredentials'].map((name) => [name, ['insufficient_scope']]),
  ),
  // No reference of a withdrawal was used before; who may not move money has no key to ask with.
  requestWithdrawal: ['duplicate_ref', 'insufficient_scope'],
  adminPauseEvent: ['invalid_price_tick', 'rules_only_grow'], // only the mode of a market changes
  adminRescheduleEvent: ['invalid_price_tick', 'rules_only_grow'], // no tick, no question
  adminUpdateEvent: ['invalid_price_tick', 'condition_not_open'], // only its texts
  adminCreateEvent: ['condition_exists'], // a market that is there is looked at first
}

/** The codes with which the exchange may refuse an operation of its own for one of the site. */
function codesOf(name: VenueOperationName, call: string): RefusalCode[] {
  const codes = [...refusalCodesOf(venueOperations[name]), 'overloaded', 'service_unavailable'] as const
  return [...new Set(codes)].filter((code) => !never.has(code) && !neverOf[call]?.includes(code) && refusals[code].status !== 401)
}

const draft = (slug: string) => ({
  content: {
    ...{ title: 'Will it rain?', slug, end_date: '2026-12-24T12:00:00Z', question: 'Rain?', tags: ['weather'] },
    rules: 'Resolves to Yes if the station of the city reports more than 1 mm of rain on that day, by its own page, at 12:00 UTC.',
  },
})
let n = 0

const calls: Record<string, () => Promise<Answered>> = {
  placeOrder: () => member.post('/api/orders', order(rain.yes, '0.3', '10')),
  cancelOrder: () => member.call('DELETE', '/api/orders/0x12'),
  listOpenOrders: () => member.get('/api/open-orders'),
  listEventOpenOrders: () => member.get('/api/events/rain/open-orders'),
  eventActivity: () => member.get('/api/event-activity?event=rain'),
  listHolders: () => member.get(`/api/holders?conditionId=${rain.condition}`),
  requestWithdrawal: () => member.post('/api/withdrawals', { amount: '1', destination: wallet.address }),
  adminPauseEvent: () => operator.post(`/admin/api/events/${rain.event}/pause`),
  adminRescheduleEvent: () =>
    operator.post(`/admin/api/events/${rain.event}/reschedule`, {
      end_time: new Date(at.clock.now() + (500 + ++n) * 3_600_000).toISOString(),
      reason: 'Postponed.',
    }),
  adminUpdateEvent: () => operator.call('PATCH', `/admin/api/events/${rain.event}`, { rules: `Rule ${++n}.` }),
  adminUpdateUser: () => operator.post(`/admin/api/users/${user.id}/update`, { banned: true }),
  adminPutGeneralSettings: () => operator.call('PUT', '/admin/api/settings/general', { feeRecipientWallet: walletOf(7000 + ++n).address }),
  adminRestoreSettings: () => operator.post('/admin/api/settings/general/restore', { version: 1 }),
  adminSetVenueMode: () => operator.post('/admin/api/system/exchange-mode', { mode: 'paused' }),
  adminCreateEvent: () => operator.post('/admin/api/events', draft(`rain-${++n}`).content),
  saveTradingCredentials: async () => member.post('/api/trading-credentials', await enabling(member, wallet)),
  deleteTradingCredentials: () => member.call('DELETE', '/api/trading-credentials'),
}

test.each(Object.entries(calls))('whatever the exchange refuses %s with is in the document of the site', async (name, call) => {
  // Each call is held against the document by its browser.
  asked = []
  say = (operation) => (operation === 'getVolumes' || operation === 'getBooks' ? null : 'service_unavailable')
  await call()
  const first = asked.at(-1)!
  expect(asked.length).toBeGreaterThan(0)
  const undocumented: string[] = []
  for (const code of codesOf(first, name)) {
    say = (operation) => (operation === first ? code : null)
    await call().catch((error: Error) => undocumented.push(error.message))
  }
  say = () => null
  expect(undocumented).toEqual([])
  expect(at.bugs).toEqual([])
})

test('what keeps a change from being taken back is in the document, too', async () => {
  const add = async (slug: string) => (await admin.post('/admin/api/categories', { name: slug, slug })).body.data.id
  const [snow, child] = [await add('snow'), await add('sleet')]
  const change = (id: string, body: object) => admin.call('PATCH', `/admin/api/categories/${id}`, body)
  const undoLast = async (about: string) => {
    const { data } = (await admin.get('/admin/api/audit-log?action=category_changed')).body
    return admin.post(
      `/admin/api/audit-log/${data.find(({ details }: { details: { target: string } }) => details.target === about).id}/undo`,
    )
  }
  await change(snow, { slug: 'snowfall' })
  await add('snow')
  expect(await undoLast(snow)).toMatchObject({ status: 409, body: { code: 'slug_taken' } })
  await change(snow, { parents: [child] })
  await change(snow, { parents: [] })
  await change(child, { parents: [snow] })
  expect(await undoLast(snow)).toMatchObject({ status: 409, body: { code: 'category_loop' } })
})
