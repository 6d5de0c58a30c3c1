import { eventChanges } from '@augury/platform/events/event-changes'
import { confirmResolution } from '@augury/platform/resolution/decide'
import { eventually } from '@augury/testing/eventually'
import { expect, test } from 'vitest'
import { Browser, walletOf } from './browser.ts'
import { enable, fund, tradingSite } from './exchange.ts'

const at = await tradingSite()
const admin = new Browser(at)
await admin.signIn(walletOf(5000))
await at.rows('insert into admin_wallet (address, created_at) values (?, now())', [walletOf(5000).address.toLowerCase()])
const trader = new Browser(at)
const { user } = (await trader.signIn(walletOf(5001))).body
await enable(trader, walletOf(5001))
await fund(at, walletOf(5001).address, '1000')
const visitor = new Browser(at)
const { rain, snow } = at.markets
const holder = new Browser(at)
for (const [browser, number, tokenId] of [
  [holder, 5002, snow.yes],
  [new Browser(at), 5003, snow.no],
] as const) {
  await browser.signIn(walletOf(number))
  await enable(browser, walletOf(number))
  await fund(at, walletOf(number).address, '100')
  await browser.post('/api/orders', { tokenId, side: 'BUY', orderType: 'GTC', price: '0.5', size: '10' })
}
await eventually(async () => expect((await holder.get('/api/event-activity?event=snow')).body).toHaveLength(1))
const patch = (id: string, body: unknown) => admin.call('PATCH', `/admin/api/events/${id}`, body)
const market = async (condition: string) => (await fetch(`${at.clobUrl}/markets/${condition}`)).json()
let orders = 0
const order = () => ({ tokenId: rain.yes, side: 'BUY', orderType: 'GTC', price: '0.4', size: String(10 + orders++) })

test('the list has every event with its problems, sorted by any of its columns and no other', async () => {
  const { body } = await admin.get('/admin/api/events?sortBy=title&sortOrder=asc')
  expect(body).toMatchObject({
    totalCount: 2,
    data: [
      { slug: 'rain', own: true, hidden: false, paused: false, attention: [], main_tag: 'weather' },
      { slug: 'snow', status: 'active' },
    ],
    creatorOptions: [body.data[0].creator],
    seriesOptions: [],
  })
  expect((await admin.get('/admin/api/events?search=SNOW')).body.data).toHaveLength(1)
  expect((await admin.get('/admin/api/events?attention=true')).body.data).toEqual([])
  expect((await admin.get(`/admin/api/events?creator=${body.data[0].creator}&activeOnly=true&limit=1&offset=1`)).body).toMatchObject({
    totalCount: 2,
    data: [expect.anything()],
  })
  expect(await admin.get('/admin/api/events?sortBy=rules')).toMatchObject({
    status: 400,
    body: {
      ...{ success: false, error: 'Invalid sortBy parameter', code: 'invalid_sort_by' },
      details: { sortBy: expect.arrayContaining(['title', 'volume', 'end_date']) },
    },
  })
})

test.each([
  [{ slug: 'rain' }, 200, { exists: true }],
  [{ slug: 'rain-market' }, 200, { exists: true }],
  [{ slug: 'nothing' }, 200, { exists: false }],
  [{}, 400, { success: false, error: 'Missing slug', code: 'missing_slug' }],
  [{ slug: ' ' }, 400, { success: false, error: 'Missing slug', code: 'missing_slug' }],
])('looking up the slug %j answers %i', async (body, status, answer) => {
  const found = await admin.post('/admin/api/events/check-slug', body)
  expect([found.status, found.body]).toEqual([status, answer])
})

/** What a browser reads and says of an event: comments, a new one, trades, holders. */
const talk = async (browser: Browser) => [
  (await browser.get('/api/comments?event=snow')).status,
  browser === visitor ? 404 : (await browser.post('/api/comments', { event: 'snow', content: 'Cold.' })).status,
  (await browser.get('/api/event-activity?event=snow')).body.length,
  (await browser.get(`/api/holders?conditionId=${snow.condition}`)).body.yesHolders.length,
]

test('a hidden event is in no list and keeps its page; the change is logged and can be undone', async () => {
  expect((await patch(snow.event, { hidden: true })).body).toMatchObject({ success: true, data: { hidden: true } })
  const slugs = async () => (await visitor.get('/api/events')).body.map(({ slug }: { slug: string }) => slug).sort()
  const catalogue = async () => (await (await fetch(`${at.clobUrl}/gamma/events`)).json()).map(({ slug }: { slug: string }) => slug).sort()
  expect(await slugs()).toEqual(['rain'])
  expect(await catalogue()).toEqual(['rain'])
  expect(await talk(visitor)).toEqual([404, 404, 0, 0])
  expect(await talk(trader)).toEqual([404, 404, 0, 0])
  expect(await talk(admin)).toEqual([200, 200, 1, 1])
  expect(await talk(holder)).toEqual([200, 200, 1, 1])
  expect((await visitor.get(`/api/events/snow/market-metadata?conditionId=${snow.condition}`)).status).toBe(200)
  const { changes } = (await admin.get(`/admin/api/events/${snow.event}`)).body.data
  expect(changes).toMatchObject([
    { action: 'event_changed', details: { before: { hidden: false }, after: { hidden: true } }, can_undo: true },
  ])
  const [{ title }] = (await at.rows(`select title from event where slug = 'snow'`)) as [{ title: string }]
  const found = (await admin.get(`/admin/api/audit-log?search=${encodeURIComponent(title)}`)).body
  expect(found).toMatchObject({ totalCount: 1, data: [{ id: changes[0].id, about: { kind: 'event', id: snow.event, name: title } }] })
  expect((await admin.post(`/admin/api/audit-log/${changes[0].id}/undo`)).body).toEqual({ success: true })
  expect([await slugs(), await catalogue()]).toEqual([
    ['rain', 'snow'],
    ['rain', 'snow'],
  ])
  expect(await admin.post(`/admin/api/audit-log/${changes[0].id}/undo`)).toMatchObject({ status: 409, body: { code: 'changed_meanwhile' } })
})

test('a pause refuses orders on the exchange at once and allows cancels; resuming accepts orders again', async () => {
  const resting = (await trader.post('/api/orders', order())).body
  for (const _ of [1, 2]) expect((await admin.post(`/admin/api/events/${rain.event}/pause`)).body).toEqual({ success: true })
  expect(await trader.post('/api/orders', order())).toMatchObject({ status: 409, body: { code: 'market_paused' } })
  expect((await visitor.get(`/api/markets/status?conditionIds=${rain.condition}`)).body.data).toMatchObject([{ is_active: false }])
  expect((await admin.get('/admin/api/events?attention=true')).body.data).toMatchObject([{ slug: 'rain', attention: ['paused'] }])
  expect((await trader.call('DELETE', `/api/orders/${resting.orderID}`)).status).toBe(200)
  expect((await admin.post(`/admin/api/events/${rain.event}/resume`)).body).toEqual({ success: true })
  expect((await trader.post('/api/orders', order())).status).toBe(200)
  expect((await admin.get(`/admin/api/events/${rain.event}`)).body.data.event).toMatchObject({ paused: false, status: 'active' })
})

test('an event whose pause outlasted one of its markets resumes without that market', async () => {
  const { exchange } = await at.site.exchange.operator()
  const paused = async () => (await admin.get(`/admin/api/events/${snow.event}`)).body.data.event.paused
  const [{ end_time: end }] = (await at.rows('select end_time from market where condition_id = ?', [snow.condition])) as [
    { end_time: Date },
  ]
  expect((await admin.post(`/admin/api/events/${snow.event}/pause`)).body).toEqual({ success: true })
  await at.rows('update market set end_time = ? where condition_id = ?', [new Date(at.clock.now() - 1000), snow.condition])
  expect((await admin.post(`/admin/api/events/${snow.event}/resume`)).body).toEqual({ success: true })
  expect([await paused(), (await market(snow.condition)).mode]).toEqual([false, 'paused']) // no trading on a known result
  await at.rows('update market set end_time = ?, is_active = true where condition_id = ?', [end, snow.condition])
  await exchange.closeCondition({ params: { id: snow.condition } })
  for (const [way, is] of [
    ['pause', true],
    ['resume', false],
  ] as const) {
    expect((await admin.post(`/admin/api/events/${snow.event}/${way}`)).body).toEqual({ success: true })
    expect(await paused()).toBe(is)
  }
})

test('texts change on the exchange too, and rules are append-only after the first trade', async () => {
  const rules = 'It rained if the station says so.'
  expect((await patch(rain.event, { rules, title: 'Rain?' })).body.success).toBe(true)
  const there = await market(rain.condition)
  expect([there.event.title, there.event.rules]).toEqual(['Rain?', rules])
  await at.rows('update market set volume = 1 where condition_id = ?', [rain.condition])
  expect(await patch(rain.event, { rules: 'It never rains.' })).toMatchObject({ status: 409, body: { code: 'rules_only_grow' } })
  expect((await patch(rain.event, { rules: `${rules} Drizzle\u200b counts.` })).body.success).toBe(true)
  const address = walletOf(5000).address.toLowerCase()
  expect(await eventChanges(at.site, { slug: 'rain' })).toMatchObject([
    { field: 'rules', before: rules, after: `${rules} Drizzle counts.`, actor: address },
    { field: 'title', after: 'Rain?', actor: address },
    { field: 'rules', after: rules, actor: address },
  ])
  await at.rows(`update event set rules = replace(rules, 'It', ?) where id = ?`, ['I\u200bt', rain.event]) // stored before texts were cleaned
  expect((await patch(rain.event, { rules: `${rules} Drizzle counts. So does dew.` })).body.success).toBe(true)
  expect(await eventChanges(at.site, { slug: 'snow' })).toEqual([]) // hiding and showing leaves no other change
  expect(await patch(rain.event, { tags: ['nothing'] })).toMatchObject({ status: 404, body: { code: 'category_not_found' } })
  expect(await patch(snow.condition.slice(2, 10), {})).toMatchObject({ status: 400 })
  await at.rows(`update event set creator = '0x00000000000000000000000000000000000000c9' where slug = 'snow'`)
  expect(await patch(snow.event, { title: 'Mine' })).toMatchObject({ status: 403, body: { code: 'condition_not_owned' } })
  expect(await admin.post(`/admin/api/events/${snow.event}/pause`)).toMatchObject({ status: 403, body: { code: 'condition_not_owned' } })
})

test('a change based on outdated texts changes none of them, and a repeated change has no further effect', async () => {
  const { event } = (await admin.get(`/admin/api/events/${rain.event}`)).body.data
  const seen = { title: event.title, rules: event.rules }
  const change = { title: 'Rain in the mountains?', seen }
  for (const _ of [1, 2]) expect(await patch(rain.event, change)).toMatchObject({ status: 200, body: { data: { title: change.title } } })
  expect(await patch(rain.event, { title: 'Rain in the valley?', seen })).toMatchObject({
    status: 409,
    body: { code: 'changed_meanwhile' },
  })
  expect((await patch(rain.event, { title: event.title, seen: { title: change.title } })).body.data.title).toBe(event.title)
})

test('all categories of an event are shown, and a change based on outdated ones is refused', async () => {
  const shown = async () => (await admin.get(`/admin/api/events/${rain.event}`)).body.data.event
  const { tags, icon_url, series_slug } = await shown()
  expect({ tags, icon_url, series_slug }).toEqual({ tags: ['weather'], icon_url: '', series_slug: null })
  await admin.post('/admin/api/categories', { name: 'Sky', slug: 'sky', is_main_category: true })
  const icon = `/uploads/${'ab'.repeat(32)}.png`
  const place = { tags: ['sky', 'weather'], icon_url: icon, series_slug: 'rainy-days' }
  expect((await patch(rain.event, { ...place, seen: { tags, icon_url, series_slug } })).body.data).toMatchObject({
    ...{ main_tag: 'sky', icon_url: icon, series_slug: 'rainy-days' },
  })
  expect((await shown()).tags).toEqual(['sky', 'weather'])
  const there = await market(rain.condition)
  expect([there.tags, there.event.icon]).toEqual([['Sky', 'Weather'], icon])
  for (const seen of [{ tags }, { icon_url }, { series_slug }])
    expect(await patch(rain.event, { tags: ['weather'], seen })).toMatchObject({ status: 409, body: { code: 'changed_meanwhile' } })
  expect((await patch(rain.event, { tags, icon_url, series_slug })).body.data.main_tag).toBe('weather')
})

test('a market is resolved by a proposal, a dispute, and a new proposal that is not disputed in time', async () => {
  const resolve = (body: unknown) => admin.post(`/admin/api/events/${rain.event}/resolve`, body)
  const propose = { step: 'propose', answers: [{ condition_id: rain.condition, yes_pays: 1 }], evidence: 'The station said so.' }
  expect(await resolve({ ...propose, evidence: ' ' })).toMatchObject({ status: 400 })
  expect(await resolve({ ...propose, answers: [{ condition_id: snow.condition, yes_pays: 1 }] })).toMatchObject({
    status: 404,
    body: { code: 'market_not_found' },
  })
  expect((await resolve({ ...propose, dispute_seconds: 60 })).body).toEqual({ success: true })
  expect((await resolve({ step: 'dispute', note: 'It was the neighbour’s hose.' })).body).toEqual({ success: true })
  expect((await admin.get('/admin/api/events?attention=true')).body.data).toMatchObject([{ slug: 'rain', attention: ['disputed'] }])
  expect((await resolve({ ...propose, dispute_seconds: 60 })).body).toEqual({ success: true })
  expect(await resolve({ step: 'confirm' })).toMatchObject({ status: 409, body: { code: 'resolution_conflict' } })
  at.clock.advance(61_000)
  expect((await resolve({ step: 'confirm' })).body).toEqual({ success: true })
  for (const body of [{ step: 'confirm', condition_ids: [rain.condition] }, propose])
    expect(await resolve(body)).toMatchObject({ status: 409, body: { error: expect.stringMatching('is confirmed') } })
  const { markets, changes } = (await admin.get(`/admin/api/events/${rain.event}`)).body.data
  expect(markets).toMatchObject([{ is_resolved: true, yes_pays: 1, resolution: { status: 'confirmed' } }])
  expect(markets[0].resolution.steps.map(({ step }: { step: string }) => step)).toEqual(['proposed', 'disputed', 'proposed', 'confirmed'])
  expect(changes.filter(({ action }: { action: string }) => action === 'resolution_decided')).toHaveLength(4)
  for (const way of ['pause', 'resume']) {
    expect((await admin.post(`/admin/api/events/${rain.event}/${way}`)).body).toEqual({ success: true })
    expect((await admin.get('/admin/api/events?attention=true')).body.data).toEqual([]) // nothing is left to be traded
  }
})

test('where a result takes two admins, neither time nor the proposer makes it final', async () => {
  await at.rows(`update event set creator = (select creator from event where slug = 'rain') where slug = 'snow'`)
  const second = new Browser(at)
  await second.signIn(walletOf(5002))
  await at.rows('insert into admin_wallet (address, created_at) values (?, now())', [walletOf(5002).address.toLowerCase()])
  for (const each of [admin, second]) await each.signIn(walletOf(each === admin ? 5000 : 5002))
  expect((await admin.call('PUT', '/admin/api/settings/resolution', { secondAdmin: true })).status).toBe(200)
  const resolve = (who: Browser, body: unknown) => who.post(`/admin/api/events/${snow.event}/resolve`, body)
  const answers = [{ condition_id: snow.condition, yes_pays: 0 }]
  expect((await resolve(admin, { step: 'propose', answers, evidence: 'No snow fell.', dispute_seconds: 60 })).body).toEqual({
    success: true,
  })
  at.clock.advance(130_000)
  const [{ actor_kind: by } = {}] = await at.rows(`select actor_kind from resolution_step where step = 'proposed' order by at desc limit 1`)
  expect(by).toBe('operator')
  const clock = { kind: 'clock' } as const
  const decided = at.site.em().transactional((em) => confirmResolution(em, clock, { conditionId: snow.condition }, at.site.now()))
  await expect(decided).rejects.toMatchObject({ code: 'own_admin' })
  expect(await resolve(admin, { step: 'confirm' })).toMatchObject({ status: 409, body: { success: false, code: 'own_admin' } })
  expect((await admin.get('/admin/api/events?attention=true')).body.data).toMatchObject([{ slug: 'snow', attention: ['due'] }])
  expect((await resolve(second, { step: 'confirm' })).body).toEqual({ success: true })
  expect((await admin.get(`/admin/api/events/${snow.event}`)).body.data.markets).toMatchObject([{ is_resolved: true, yes_pays: 0 }])
})

test('a ban applies here and on the exchange, and the form of members cannot make an admin', async () => {
  const update = (body: unknown, id = user.id) => admin.post(`/admin/api/users/${id}/update`, body)
  expect(await update({ is_admin: true })).toMatchObject({ status: 400 })
  expect((await update({ username: 'rainman', email: 'rain@example.org' })).body.data).toMatchObject({ username: 'rainman', banned: false })
  expect((await trader.post('/api/orders', { ...order(), price: '0.02' })).body).toMatchObject({ success: true, state: 'live' })
  const note = 'Traded against itself on two accounts.'
  expect((await update({ banned: true, note })).body.data).toMatchObject({ banned: true })
  const kept = (await admin.get('/admin/api/audit-log?search=two accounts')).body.data
  expect(kept).toMatchObject([{ action: 'member_changed', details: { note, after: { banned: true } } }])
  expect(await update({ banned: true, note: 'x'.repeat(501) })).toMatchObject({ status: 400 })
  expect((await trader.get('/api/open-orders')).body.data).toEqual([])
  expect(await trader.post('/api/orders', order())).toMatchObject({ status: 403, body: { code: 'account_banned' } })
  const list = (await admin.get('/admin/api/users?search=RAIN&sortBy=total_volume')).body
  expect(list).toMatchObject({ count: 1, totalCount: 1, data: [{ username: 'rainman', banned: true, is_admin: false, total_trades: 0 }] })
  expect(JSON.stringify(list)).not.toMatch(/settings|signature/)
  expect((await update({ banned: false })).body.data).toMatchObject({ banned: false })
  const [{ id: own } = { id: '' }] = (await admin.get(`/admin/api/users?search=${walletOf(5000).address}`)).body.data
  expect(await update({ banned: true }, own)).toMatchObject({ status: 409, body: { code: 'own_admin' } })
  expect(await update({ username: 'RainMan' }, own)).toMatchObject({ status: 409, body: { code: 'username_taken' } })
  expect(await update({ username: 'x' }, '01890a5d-ac96-774b-bcce-b302099a8057')).toMatchObject({ status: 400 })
  expect(await update({ banned: true }, '01890a5d-ac96-774b-bcce-b302099a8057')).toMatchObject({ status: 404 })
  expect((await admin.get(`/admin/api/users/${user.id}/sessions`)).body.totalCount).toBe(1)
  expect((await admin.call('DELETE', `/admin/api/users/${user.id}/sessions`)).body).toEqual({ success: true, data: { ended: 1 } })
  expect((await trader.get('/api/notifications')).status).toBe(401)
})

test('of two admins who change the same member, the second gets a conflict', async () => {
  const update = (username: string, seen: object) => admin.post(`/admin/api/users/${user.id}/update`, { username, seen })
  expect((await update('First', { username: 'rainman', banned: false })).body.data).toMatchObject({ username: 'First' })
  expect((await update('First', { username: 'rainman' })).status).toBe(200) // its answer was lost
  expect(await update('Second', { username: 'rainman' })).toMatchObject({ status: 409, body: { code: 'changed_meanwhile' } })
  expect(await update('Second', { is_admin: false })).toMatchObject({ status: 400 })
  expect((await update('Second', { username: 'First', email: 'rain@example.org' })).body.data).toMatchObject({ username: 'Second' })
})

test('while the exchange is unavailable nothing is changed partially', async () => {
  await at.stopExchange()
  expect(await admin.post(`/admin/api/users/${user.id}/update`, { banned: true })).toMatchObject({
    status: 500,
    body: { success: false, code: 'service_unavailable' },
  })
  expect(await at.rows('select banned_at from users where id = ?', [user.id])).toEqual([{ banned_at: null }])
  expect(at.bugs).toEqual([])
})
