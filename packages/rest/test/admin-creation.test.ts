import { randomUUID } from 'node:crypto'
import { readDraft } from '@augury/platform/creation/drafts'
import type { DraftContent } from '@augury/wire/platform/draft'
import { expect, test } from 'vitest'
import { Browser } from './browser.ts'
import { content, creationSite, RULES, three } from './creation.ts'
import { calledDuring } from './test-site.ts'

const { at, app, there, admin, add, publish, check, failing } = await creationSite()

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

test('all drafts are found, page by page', async () => {
  for (const title of ['One', 'Two', 'Three']) await add({ title })
  const ids = async (query: string) => (await admin.get(`/admin/api/drafts${query}`)).body.data.map(({ id }: { id: string }) => id)
  const all = await ids('')
  expect((await admin.get('/admin/api/drafts?limit=2')).body).toMatchObject({
    totalCount: all.length,
    data: [{ id: all[0] }, { id: all[1] }],
  })
  expect(await ids('?limit=2&offset=2')).toEqual(all.slice(2, 4))
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
  ['source', 'warning', { resolution_source: '', resolution_source_url: '' }],
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
    await failing(() => publish(id), ...Array(place).fill(undefined), kind)
    expect((await admin.get(`/admin/api/drafts/${id}`)).body.data).toMatchObject({ state: 'publishing', event_slug: slug })
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
  await failing(() => publish(id))
  await at.rows(`drop trigger refuse on ${table}; drop function refuse;`)
  const { state } = await readDraft(at.site.em(), id)
  expect(state).toBe(table === 'market' ? 'publishing' : 'draft')
  expect((await publish(id)).body.data).toMatchObject({ state: 'published', registered: 3 })
  expect(await at.rows('select count(*)::int as n from market where slug like ?', [`${slug}-%`])).toEqual([{ n: 3 }])
})

test('an event that is created again, because its answer was lost, is answered again and made once', async () => {
  const body = three('lost', 'exclusive')
  const create = (more: Partial<DraftContent> = {}) => admin.post('/admin/api/events', { ...body, ...more })
  await failing(create, 'before')
  const [one, two] = await Promise.all([create(), create()])
  expect(one.body.data).toMatchObject({ state: 'published', slug: 'lost', registered: 3, total: 3 })
  expect(two.body.data).toEqual(one.body.data)
  expect((await create()).body.data).toEqual(one.body.data)
  expect(await at.rows(`select count(*)::int as n from event_draft where content ->> 'slug' = 'lost'`)).toEqual([{ n: 1 }])
  expect(await create({ rules: `${RULES} Or so.` })).toMatchObject({ status: 409, body: { code: 'slug_taken' } })
  expect(await create({ slug: 'short', rules: 'Short.' })).toMatchObject({ status: 409, body: { code: 'draft_unready' } })
  const options = ['+5', '+5 ', '−5'].map((short_title) => ({ question: `${short_title} °C?`, short_title, slug: '' }))
  const alike = await create({ slug: 'alike', mode: 'several', options })
  expect([alike.status, alike.body.code, alike.body.error]).toEqual([
    409,
    'draft_unready',
    expect.stringMatching(/Options 1 \(“\+5”\) and 2 \(“\+5 ?”\) have the same slug, alike-plus-5/),
  ])
  expect(await at.rows(`select slug from market where slug like 'alike-%'`)).toEqual([])
  expect((await create({ slug: 'alike', mode: 'several', options: options.slice(1) })).body).toMatchObject({ data: { registered: 2 } })
  expect(await at.rows(`select slug from market where slug like 'alike-%' order by position`)).toEqual([
    { slug: 'alike-plus-5' },
    { slug: 'alike-minus-5' },
  ])
})

test('a draft whose publishing stopped is not kept from going on by its own slug', async () => {
  const { id } = await add(three('stopped', 'several'))
  await failing(() => publish(id), 'before')
  expect(await check(id)).toEqual({ ready: true, checks: [] })
  expect((await publish(id)).body.data).toMatchObject({ state: 'published', registered: 3 })
})

test('there were no unexpected failures', () => {
  expect(at.bugs).toEqual([])
})
