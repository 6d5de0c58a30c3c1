import { randomUUID } from 'node:crypto'
import { readDraft } from '@augury/platform/creation/drafts'
import { publishingJob } from '@augury/platform/creation/publishing-job'
import { workerScheduler } from '@augury/platform/identity/scheduler'
import { runJob } from '@augury/platform/sync/run-job'
import { conditionId, negRiskMarketId, questionId } from '@augury/signing/ids'
import type { ConditionRequest } from '@augury/wire/condition-request'
import type { DraftContent } from '@augury/wire/platform/draft'
import { expect, test } from 'vitest'
import { platformApp } from '../src/platform.ts'
import { Browser, walletOf } from './browser.ts'
import { calledDuring, testSite } from './test-site.ts'

const at = await testSite({ adminWallets: [walletOf(6000).address.toLowerCase() as `0x${string}`] })
const own = at.site.exchange.operatorAddress

/** An exchange that fails registrations as told: before it stores the market, or after, when only the response is lost. */
const there = new Map<string, ConditionRequest>()
const calls: string[] = []
let failures: ('before' | 'after')[] = []
const registerCondition = async ({ body }: { body: ConditionRequest }) => {
  const failure = failures.shift()
  calls.push(body.question_slug)
  if (failure === 'before') throw new Error('killed before')
  const known = there.get(body.question_slug)
  if (known && JSON.stringify(known) !== JSON.stringify(body)) throw new Error('registered with other content')
  there.set(body.question_slug, body)
  if (failure === 'after') throw new Error('killed after')
  const question = questionId(own, body.question_slug)
  const event = body.neg_risk_event
  const neg_risk_market_id = event ? negRiskMarketId(own, event.slug) : null
  return { condition_id: conditionId(own, question), question_id: question, neg_risk_market_id, tokens: [] }
}
const operator = async () => ({ address: own, exchange: { registerCondition } as never })
const site = { ...at.site, exchange: { ...at.site.exchange, operator } }
const app = platformApp({ site, onBug: (error) => void at.bugs.push(error) })
const admin = new Browser({ ...at, app })
await admin.signIn(walletOf(6000))
await admin.post('/admin/api/categories', { name: 'Weather', slug: 'weather', is_main_category: true })

const RULES = 'This resolves to Yes if the station of the city reports more than 1 mm of rain on that day, by its own page, at 12:00 UTC.'
const END = '2026-12-24T12:00:00Z'
const content = (slug: string, more: Partial<DraftContent> = {}) => ({
  ...{
    title: `Will it rain in ${slug}?`,
    slug,
    end_date: END,
    tags: ['weather'],
    question: `Rain in ${slug}?`,
    rules: RULES,
  },
  ...more,
})
const three = (slug: string, mode: 'several' | 'exclusive') =>
  content(slug, { mode, options: ['Rome', 'Oslo', 'Bern'].map((city) => ({ question: `Rain in ${city}?`, short_title: city, slug: '' })) })
const add = async (body: unknown) => (await admin.post('/admin/api/drafts', { content: body })).body.data
const publish = (id: string) => admin.post(`/admin/api/drafts/${id}/publish`)
const check = async (id: string) => (await admin.post(`/admin/api/drafts/${id}/check`)).body.data

test('a draft is saved as it is edited, and two windows do not overwrite each other', async () => {
  const draft = await add({ title: 'R' })
  const save = (body: unknown, revision: number) => admin.call('PUT', `/admin/api/drafts/${draft.id}`, { content: body, revision })
  expect((await save({ title: 'Rain' }, 1)).body.data).toMatchObject({
    revision: 2,
    state: 'draft',
    content: { title: 'Rain', mode: 'binary' },
  })
  expect((await save({ title: 'Rain' }, 1)).body.data).toMatchObject({ revision: 2, content: { title: 'Rain' } }) // its answer was lost
  expect(await save({ title: 'Snow' }, 1)).toMatchObject({ status: 409, body: { success: false, code: 'changed_meanwhile' } })
  expect(await save({ title: 'Snow' }, 2 ** 31)).toMatchObject({ status: 400 })
  expect(await save({ title: 'Rain', html: '<b>' }, 2)).toMatchObject({ status: 400 })
  expect(await save({ icon_url: 'https://elsewhere.example/x.png' }, 2)).toMatchObject({ status: 400 })
  expect((await check(draft.id)).ready).toBe(false)
  expect(await publish(draft.id)).toMatchObject({ status: 409, body: { code: 'draft_unready' } })
  expect((await admin.call('DELETE', `/admin/api/drafts/${draft.id}`)).body).toEqual({ success: true })
  expect(await admin.get(`/admin/api/drafts/${draft.id}`)).toMatchObject({ status: 404, body: { code: 'draft_not_found' } })
})

test('a draft that is started again, because the answer was lost, is there once', async () => {
  const ref = randomUUID()
  const start = (body: unknown) => admin.post('/admin/api/drafts', { content: body, ref })
  const [one, two] = await Promise.all([start({ title: 'Started' }), start({ title: 'Started' })])
  expect(one.body.data).toMatchObject({ id: ref, content: { title: 'Started' }, revision: 1 })
  expect(two.body.data).toEqual(one.body.data)
  await admin.call('PUT', `/admin/api/drafts/${ref}`, { content: { title: 'Gone on' }, revision: 1 })
  expect((await start({ title: 'Started' })).body.data).toMatchObject({ id: ref, content: { title: 'Gone on' }, revision: 2 })
  expect(await at.rows('select count(*)::int as n from event_draft where id = ?', [ref])).toEqual([{ n: 1 }])
  expect(await at.rows(`select count(*)::int as n from event_draft where content ->> 'title' = 'Started'`)).toEqual([{ n: 0 }])
})

test('a draft that is being saved is published as it was saved, and one that is being deleted is not', async () => {
  const [saved, deleted] = [await add(content('saved')), await add(content('deleted'))]
  const better = JSON.stringify({ ...saved.content, title: 'Will it snow in Rome?' })
  const save: [string, unknown[]] = ['update event_draft set content = ?::jsonb, revision = 2 where id = ?', [better, saved.id]]
  expect((await calledDuring(at, save, () => publish(saved.id))).body.data).toMatchObject({ state: 'published', slug: 'saved' })
  expect(await at.rows(`select title from event where slug = 'saved'`)).toEqual([{ title: 'Will it snow in Rome?' }])
  const remove: [string, unknown[]] = ['delete from event_draft where id = ?', [deleted.id]]
  const late = await calledDuring(at, remove, () => publish(deleted.id))
  expect(late).toMatchObject({ status: 404, body: { code: 'draft_not_found' } })
  expect(await at.rows(`select slug from event where slug = 'deleted'`)).toEqual([])
})

const inArabic = ['أسود', 'أبيض'].map((name) => ({ question: `${name}؟`, short_title: name, slug: '' }))
test.each<[code: string, state: string, more: Partial<DraftContent>]>([
  ['title', 'error', { title: 'Hm' }],
  ['slug', 'error', { slug: 'Not A Slug' }],
  ['end_date', 'error', { end_date: null }],
  ['end_date', 'error', { end_date: '2026-11-20T12:30:00Z' }],
  ['end_date', 'error', { end_date: '2046-11-20T12:30:00Z' }],
  ['category', 'error', { tags: [] }],
  ['categories_known', 'error', { tags: ['nothing'] }],
  ['structure', 'error', { question: ' ' }],
  ['structure', 'error', { mode: 'exclusive', options: [{ question: 'One?', short_title: 'One', slug: '' }] }],
  ['outcomes', 'error', { outcomes: ['Yes', 'Yes '] }],
  ['outcomes', 'error', { outcomes: ['Home win', 'home  WIN'] }],
  ['outcomes', 'error', { outcomes: ['Yes', ' '] }],
  ['distinct', 'error', { mode: 'several', options: [1, 2].map(() => ({ question: 'Same?', short_title: 'Same', slug: '' })) }],
  ['rules', 'error', { rules: 'Short.' }],
  ['source', 'error', { resolution_source_url: 'javascript:alert(1)' }],
  ['source', 'error', { resolution_source_url: 'http://localhost/' }],
  ['ambiguity', 'warning', { rules: `${RULES} It has to be a significant amount.` }],
  [
    'time_zone',
    'warning',
    { rules: 'It resolves to Yes if the station reports rain at all before 12:00 on that day, and to No otherwise.' },
  ],
  ['distinct', 'ok', { mode: 'several', options: inArabic }],
  ['outcomes', 'ok', { mode: 'several', options: inArabic, outcomes: ['', ''] }],
])('a draft with a fault in %s has the check %s', async (code, state, more) => {
  const { checks, ready } = await check((await add(content('faulty', more))).id)
  expect(checks.find((each: { code: string }) => each.code === code)).toMatchObject({ code, state })
  expect(ready).toBe(state !== 'error')
})

test.each([
  ['binary', content('once'), 1],
  ['several that can win', three('many', 'several'), 3],
  ['exactly one that wins', three('one', 'exclusive'), 3],
])('a draft of %s becomes an event whose markets the exchange knows', async (_, body, markets) => {
  const { id } = await add(body)
  expect((await check(id)).ready).toBe(true)
  const { data } = (await publish(id)).body
  expect(data).toMatchObject({ state: 'published', registered: markets, total: markets, slug: body.slug })
  const [event] = (await new Browser({ ...at, app }).get(`/api/events?search=${body.slug}`)).body
  expect([event.markets.length, event.status, event.neg_risk]).toEqual([markets, 'active', body.mode === 'exclusive'])
  const registered = [...there.values()].filter((each) => each.metadata.event.slug === body.slug)
  expect(registered.map(({ neg_risk_event }) => neg_risk_event?.size)).toEqual(
    Array(markets).fill(body.mode === 'exclusive' ? 3 : undefined),
  )
  expect((await publish(id)).body.data).toEqual(data)
  expect((await admin.call('PUT', `/admin/api/drafts/${id}`, { content: body, revision: 1 })).body.code).toBe('draft_published')
  expect((await admin.call('DELETE', `/admin/api/drafts/${id}`)).body.code).toBe('draft_published')
  const again = await add(body)
  expect(await publish(again.id)).toMatchObject({ status: 409, body: { code: 'slug_taken' } })
  expect((await check((await add({ ...body, slug: `${body.slug}-2`, options: [] })).id)).checks).toContainEqual(
    expect.objectContaining({ code: 'duplicate', state: 'warning' }),
  )
})

// Three markets: publishing may fail at each registration, and at the write after it.
const KILLS: ('before' | 'after')[][] = [['before'], ['after']]
test.each([0, 1, 2].flatMap((place) => KILLS.map(([kind]) => [place, kind!] as const)))(
  'killed at registration %i, %s it took place, publishing goes on and makes nothing twice',
  async (place, kind) => {
    const slug = `killed-${place}-${kind}`
    const { id } = await add(three(slug, 'exclusive'))
    failures = [...Array(place).fill(undefined), kind]
    const bugs = at.bugs.length
    expect((await publish(id)).status).toBe(500)
    at.bugs.length = bugs
    expect((await admin.get(`/admin/api/drafts/${id}`)).body.data).toMatchObject({ state: 'publishing', event_slug: slug })
    failures = []
    await Promise.all([publish(id), publish(id)])
    expect((await publish(id)).body.data).toMatchObject({ state: 'published', registered: 3, total: 3 })
    expect([...there.keys()].filter((each) => each.startsWith(slug))).toHaveLength(3)
    expect(await at.rows('select count(*)::int as n from event where slug = ?', [slug])).toEqual([{ n: 1 }])
  },
)

test.each([
  ['the event is stored', 'event_draft', 'state'],
  ['the markets are opened', 'market', 'registered_at'],
])('a database failure when %s leaves a state that can be continued', async (_, table, column) => {
  const slug = `failed-${table.replace('_', '-')}`
  const { id } = await add(three(slug, 'several'))
  const trigger = `create function refuse() returns trigger language plpgsql as $$ begin raise exception 'disk full'; end $$;
    create trigger refuse before update of ${column} on ${table} for each row execute function refuse();`
  await at.rows(trigger)
  const bugs = at.bugs.length
  expect((await publish(id)).status).toBe(500)
  at.bugs.length = bugs
  await at.rows(`drop trigger refuse on ${table}; drop function refuse;`)
  const { state } = await readDraft(at.site.em(), id)
  expect(state).toBe(table === 'market' ? 'publishing' : 'draft')
  expect((await publish(id)).body.data).toMatchObject({ state: 'published', registered: 3 })
  expect(await at.rows('select count(*)::int as n from market where slug like ?', [`${slug}-%`])).toEqual([{ n: 3 }])
})

test('an event that is created again, because its answer was lost, is told of again and made once', async () => {
  const body = three('lost', 'exclusive')
  const create = (more: Partial<DraftContent> = {}) => admin.post('/admin/api/events', { ...body, ...more })
  failures = ['before']
  const bugs = at.bugs.length
  expect((await create()).status).toBe(500)
  at.bugs.length = bugs
  failures = []
  const [one, two] = await Promise.all([create(), create()])
  expect(one.body.data).toMatchObject({ state: 'published', slug: 'lost', registered: 3, total: 3 })
  expect(two.body.data).toEqual(one.body.data)
  expect((await create()).body.data).toEqual(one.body.data)
  expect(await at.rows(`select count(*)::int as n from event_draft where content ->> 'slug' = 'lost'`)).toEqual([{ n: 1 }])
  expect(await create({ rules: `${RULES} Or so.` })).toMatchObject({ status: 409, body: { code: 'slug_taken' } })
  expect(await create({ slug: 'short', rules: 'Short.' })).toMatchObject({ status: 409, body: { code: 'draft_unready' } })
})

test('a draft whose publishing stopped is not kept from going on by its own slug', async () => {
  const { id } = await add(three('stopped', 'several'))
  failures = ['before']
  const bugs = at.bugs.length
  expect((await publish(id)).status).toBe(500)
  at.bugs.length = bugs
  failures = []
  expect(await check(id)).toEqual({ ready: true, checks: [] })
  expect((await publish(id)).body.data).toMatchObject({ state: 'published', registered: 3 })
})

test('the worker continues stopped publications, and creates recurring events in time, once', async () => {
  const { id } = await add(three('for-the-worker', 'exclusive'))
  failures = ['before']
  const bugs = at.bugs.length
  await publish(id)
  at.bugs.length = bugs
  const daily = content('rain-{date}', { title: 'Will it rain on {date}?', question: 'Rain on {date}?' })
  const put = (body: unknown) => admin.call('PUT', '/admin/api/series/rain-daily', body)
  const terms = { recurrence: 'daily', next_end: '2026-11-21T06:00:00Z' }
  expect(await put({ ...terms, content: content('rain') })).toMatchObject({ status: 409, body: { code: 'draft_unready' } })
  expect((await put({ ...terms, content: daily })).body.data).toMatchObject({ slug: 'rain-daily', enabled: true })
  const job = publishingJob(operator, own)
  const run = () => runJob(site, workerScheduler('test'), job)
  expect(await run()).toMatchObject({ success: true, errors: 0, published: 1, made: 1 })
  expect(await run()).toMatchObject({ success: true, errors: 0, made: 0 })
  expect((await readDraft(at.site.em(), id)).state).toBe('published')
  at.clock.advance(86_400_000)
  expect(await run()).toMatchObject({ errors: 0, made: 1 })
  const rows = await at.rows(
    `select slug, title, end_date, active_markets_count as open from event where series_slug = 'rain-daily' order by slug`,
  )
  expect(rows.map(({ slug, title, open }) => [slug, title, open])).toEqual([
    ['rain-2026-11-21', 'Will it rain on 21 November 2026?', 1],
    ['rain-2026-11-22', 'Will it rain on 22 November 2026?', 1],
  ])
  await admin.signIn(walletOf(6000))
  expect((await admin.get('/admin/api/series')).body).toMatchObject({ totalCount: 1, data: [{ next_end: '2026-11-23T06:00:00.000Z' }] })

  // Stopped and resumed after the next end has passed: the missed occurrences are skipped.
  const stopped = { ...terms, content: daily, next_end: '2026-11-23T06:00:00.000Z', enabled: false }
  expect((await put(stopped)).body.data).toMatchObject({ enabled: false, next_end: stopped.next_end })
  at.clock.advance(Date.parse('2026-11-25T05:30:00Z') - at.site.now().getTime())
  await admin.signIn(walletOf(6000))
  const turn = (enabled: boolean, slug = 'rain-daily') => admin.call('PATCH', `/admin/api/series/${slug}`, { enabled })
  expect((await turn(true)).body.data).toMatchObject({ enabled: true, next_end: '2026-11-26T06:00:00.000Z' })

  // Stopping does not send the terms: the current ones stay, whatever an old page shows.
  at.clock.advance(3_600_000)
  expect(await run()).toMatchObject({ errors: 0, made: 1 })
  for (const _ of [1, 2]) expect((await turn(false)).body.data).toMatchObject({ enabled: false, next_end: '2026-11-27T06:00:00.000Z' })
  expect(await turn(true, 'nothing-daily')).toMatchObject({ status: 404, body: { code: 'event_series_not_found' } })
  const { data } = (await admin.get('/admin/api/audit-log?action=series_changed')).body
  expect(data.map(({ details }: { details: { before?: unknown; after: unknown } }) => [details.before, details.after]).slice(0, 3)).toEqual(
    [
      [{ enabled: true }, { enabled: false }],
      [
        { next_end: '2026-11-23T06:00:00.000Z', enabled: false },
        { next_end: '2026-11-26T06:00:00.000Z', enabled: true },
      ],
      [{ enabled: true }, { enabled: false }],
    ],
  )
})

test('of two admins who change the same recurring event, the second is told', async () => {
  await admin.signIn(walletOf(6000))
  const terms = {
    recurrence: 'daily',
    next_end: '2026-12-01T06:00:00.000Z',
    content: content('hail-{date}', { title: 'Will it hail on {date}?', question: 'Hail on {date}?' }),
  }
  const put = (more: object) => admin.call('PUT', '/admin/api/series/hail-daily', { ...terms, ...more })
  const { content: was, enabled } = (await put({ seen: { enabled: false } })).body.data
  const seen = { content: was, recurrence: 'daily', next_end: terms.next_end, enabled }
  expect((await put({ recurrence: 'weekly', seen })).body.data).toMatchObject({ recurrence: 'weekly' })
  expect((await put({ recurrence: 'weekly', seen })).status).toBe(200) // its answer was lost
  expect(await put({ enabled: false, recurrence: 'monthly', seen })).toMatchObject({ status: 409, body: { code: 'changed_meanwhile' } })
  expect((await put({ enabled: false, seen: { recurrence: 'weekly' } })).body.data).toMatchObject({ recurrence: 'daily', enabled: false })
  expect(await put({ seen: { slug: 'hail-daily' } })).toMatchObject({ status: 400 })
})

test.each(['0000-01-01T00:00:00Z', '0001-01-01T00:00:00Z', '1970-01-01T00:00:00+01:00', '9999-12-31T23:59:59-12:00'])(
  'no event comes again from %s on',
  async (next_end) => {
    await admin.signIn(walletOf(6000))
    const terms = { recurrence: 'daily', next_end, content: content('never-{date}') }
    for (const enabled of [true, false])
      expect(await admin.call('PUT', '/admin/api/series/never', { ...terms, enabled })).toMatchObject({
        status: 400,
        body: { code: 'invalid_payload', details: [{ path: 'next_end', problem: 'expected a year from 1970 to 9999' }] },
      })
  },
)

test('a recurring draft becomes its first event, and the worker creates the next', async () => {
  await admin.signIn(walletOf(6000))
  const weekly = content('snow-{date}', { title: 'Will it snow by {date}?', question: 'Snow by {date}?', recurrence: 'weekly' })
  const dateless = await add({ ...weekly, slug: 'snow' })
  expect((await check(dateless.id)).checks).toContainEqual(expect.objectContaining({ code: 'place', state: 'error' }))
  expect((await publish(dateless.id)).body.code).toBe('draft_unready')
  const { id } = await add(weekly)
  const day = END.slice(0, 10)
  expect((await publish(id)).body.data).toMatchObject({ state: 'published', slug: `snow-${day}`, registered: 1 })
  const next = new Date(Date.parse(END) + 7 * 86_400_000)
  const { data } = (await admin.get('/admin/api/series')).body
  expect(data).toContainEqual(expect.objectContaining({ slug: 'snow', recurrence: 'weekly', enabled: true, next_end: next.toISOString() }))
  // Its slug is taken, also for a draft of another day.
  const other = await add({ ...weekly, end_date: new Date(next.getTime() + 86_400_000).toISOString() })
  expect((await publish(other.id)).body.code).toBe('slug_taken')
  at.clock.advance(Date.parse(END) - at.site.now().getTime() + 1000)
  expect(await runJob(site, workerScheduler('test'), publishingJob(operator, own))).toMatchObject({ errors: 0 })
  const rows = await at.rows(`select slug, title from event where series_slug = 'snow' order by end_date`)
  expect(rows.map(({ slug }) => slug)).toEqual([`snow-${day}`, `snow-${next.toISOString().slice(0, 10)}`])
  expect(rows[0]!.title).toMatch(/^Will it snow by \d+ \w+ \d{4}\?$/)
})

test('there were no unexpected failures', () => {
  expect(at.bugs).toEqual([])
})
