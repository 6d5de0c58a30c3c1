import { mainTags } from '@augury/platform/events/main-tags'
import { slugAfter } from '@augury/platform/events/tag-slugs'
import { expect, test } from 'vitest'
import { discoveryEvent, openEvents } from '../../platform/test/test-platform.ts'
import { Browser, walletOf } from './browser.ts'
import { testSite } from './test-site.ts'

const at = await testSite({ adminWallets: [walletOf(8600).address.toLowerCase() as `0x${string}`] })
const admin = new Browser(at)
await admin.signIn(walletOf(8600))
interface Category {
  id: string
  slug: string
  is_main_category: boolean
  parents: string[]
  events_count: number
}
const list = async () => (await admin.get('/admin/api/categories')).body.data as Category[]
const of = async (slug: string) => (await list()).find((each) => each.slug === slug)!
const patch = async (slug: string, body: unknown) => admin.call('PATCH', `/admin/api/categories/${(await of(slug)).id}`, body)
const come = (slug: string, tags: string[]) =>
  openEvents(at.site, [discoveryEvent(slug, `Who wins ${slug}?`, tags, [{ slug: `${slug}-yes` }])])
const found = async (tag: string) =>
  (await admin.get(`/api/events?tag=${tag}&limit=50`)).body.map(({ slug }: { slug: string }) => slug).sort()

await come('race', ['sports', 'running'])

test("an admin's changes of a category survive later imports", async () => {
  expect([(await of('sports')).is_main_category, (await of('running')).parents]).toEqual([true, [(await of('sports')).id]])
  await patch('sports', { is_main_category: false })
  await patch('running', { parents: [] })
  await come('marathon', ['sports', 'running'])
  expect([(await of('sports')).is_main_category, (await of('running')).parents]).toEqual([false, []])
  await patch('sports', { is_main_category: true })
})

test('a category that no admin changed follows the imports', async () => {
  await come('relay', ['sports', 'team'])
  await come('vote', ['team', 'ballot'])
  expect(await of('team')).toMatchObject({ is_main_category: true, parents: [(await of('sports')).id] })
})

test('a category is still found by its former slug until another takes it', async () => {
  await patch('ballot', { slug: 'elections' })
  expect([await found('ballot'), await slugAfter(at.site, 'ballot')]).toEqual([['vote'], 'elections'])
  await come('recount', ['team', 'ballot'])
  expect(await found('elections')).toEqual(['recount', 'vote'])
  expect((await list()).map(({ slug }) => slug)).not.toContain('ballot')
  expect((await admin.post('/admin/api/categories', { name: 'Ballot', slug: 'ballot' })).status).toBe(200)
  expect([await found('ballot'), await slugAfter(at.site, 'ballot')]).toEqual([[], null])
})

test.each(['name', 'active_markets_count', ''])('pages of categories that are alike, by %j, have each of them once', async (sortBy) => {
  const slugs = Array.from({ length: 36 }, (_, i) => `alike-${i}`)
  for (const slug of slugs) await admin.post('/admin/api/categories', { name: 'Alike', slug })
  const query = `search=alike-${sortBy && `&sortBy=${sortBy}`}&limit=5`
  const page = async (offset: number) => (await admin.get(`/admin/api/categories?${query}&offset=${offset}`)).body.data as Category[]
  const found = (await Promise.all([0, 5, 10, 15, 20, 25, 30, 35].map(page))).flat()
  expect(found.map(({ slug }) => slug).sort()).toEqual(slugs.sort())
})

test('merging categories moves events and sub-categories, and keeps both slugs', async () => {
  await come('derby', ['football', 'soccer'])
  await come('cup', ['soccer', 'football', 'final'])
  await come('friendly', ['soccer'])
  const [from, into] = [await of('soccer'), await of('football')]
  await patch('soccer', { parents: [] })
  await patch('team', { parents: [from.id] })
  const answer = await admin.post(`/admin/api/categories/${from.id}/merge`, { into: into.id })
  expect(answer).toMatchObject({ status: 200, body: { data: { slug: 'football', events_count: 3 } } })
  expect((await list()).map(({ slug }) => slug)).not.toContain('soccer')
  expect([await found('football'), await found('soccer')]).toEqual(Array(2).fill(['cup', 'derby', 'friendly']))
  expect(await at.rows(`select slug from event where main_tag_id = ? order by slug`, [into.id])).toEqual(
    ['cup', 'derby', 'friendly'].map((slug) => ({ slug })),
  )
  // Each event is in it once, at the place of the first of the two.
  expect(
    await at.rows('select event.slug, position from event_tag join event on event.id = event_id where tag_id = ? order by event.slug', [
      into.id,
    ]),
  ).toEqual(['cup', 'derby', 'friendly'].map((slug) => ({ slug, position: 0 })))
  expect((await of('team')).parents).toEqual([into.id])
  await come('replay', ['soccer'])
  expect((await of('football')).events_count).toBe(4)
  const [entry] = (await admin.get('/admin/api/audit-log?action=categories_merged')).body.data
  expect(entry).toMatchObject({
    can_undo: false,
    details: { target: into.id, before: { slug: 'soccer', events_count: 3 }, after: { slug: 'football' } },
  })
  expect((await mainTags(at.site)).map(({ slug }) => slug)).not.toContain('soccer')
})

test('a category can be merged with a descendant, and the tree stays acyclic', async () => {
  const add = async (slug: string, parents: string[] = []) =>
    (await admin.post('/admin/api/categories', { name: slug, slug, parents })).body.data.id as string
  const top = await add('top')
  const middle = await add('middle', [top])
  const low = await add('low', [middle])
  expect((await admin.post(`/admin/api/categories/${top}/merge`, { into: low })).status).toBe(200)
  expect([(await of('middle')).parents, (await of('low')).parents]).toEqual([[], [middle]])
  const again = (id: string, into: string) => admin.post(`/admin/api/categories/${id}/merge`, { into })
  expect(await again(low, low)).toMatchObject({ status: 409, body: { code: 'category_loop' } })
  expect(await again(top, low)).toMatchObject({ status: 404, body: { code: 'category_not_found' } })
  expect(await again(low, top)).toMatchObject({ status: 404, body: { code: 'category_not_found' } })
  at.clock.advance(16 * 60_000)
  expect(await again(low, middle)).toMatchObject({ status: 403, body: { code: 'step_up_required' } })
})

test('a category is made once, however often it is asked for because the answer was lost', async () => {
  const top = (await admin.post('/admin/api/categories', { name: 'Lost top', slug: 'lost-top' })).body.data.id
  const body = { name: 'Lost', slug: 'lost', is_main_category: true, parents: [top] }
  const make = (more = {}) => admin.post('/admin/api/categories', { ...body, ...more })
  const [one, two] = await Promise.all([make(), make()])
  expect(one.body).toMatchObject({ success: true, data: { slug: 'lost', parents: [top] } })
  expect(two.body).toEqual(one.body)
  expect(await make({ name: 'Other' })).toMatchObject({ status: 409, body: { code: 'slug_taken' } })
  const told = (await admin.get('/admin/api/audit-log?action=category_changed&limit=100')).body.data
  const { id } = one.body.data
  const about = { kind: 'category', id, name: 'Lost' }
  expect(told.filter(({ details }: { details: { target: string } }) => details.target === id)).toMatchObject([{ about }])
})

test('of two admins who change the same category, order or translation, the second gets a conflict', async () => {
  const told = { status: 409, body: { success: false, code: 'changed_meanwhile' } }
  const make = async (slug: string) => (await admin.post('/admin/api/categories', { name: slug, slug })).body.data
  const [a, b, c] = [await make('seen-a'), await make('seen-b'), await make('seen-c')]
  const rename = (name: string, seen: object) => patch('seen-a', { name, seen })
  expect((await rename('First', { name: 'seen-a', parents: [] })).status).toBe(200)
  expect((await rename('First', { name: 'seen-a', parents: [] })).status).toBe(200) // its answer was lost
  expect(await rename('Second', { name: 'seen-a' })).toMatchObject(told)
  expect((await rename('Second', { name: 'First' })).status).toBe(200)
  expect((await patch('seen-a', { parents: [b.id, c.id], seen: { parents: [] } })).status).toBe(200)
  expect((await patch('seen-a', { parents: [], seen: { parents: [c.id, b.id] } })).status).toBe(200)

  const order = (ids: string[], seen: number[]) => admin.call('PUT', '/admin/api/categories/order', { ids, seen })
  const places = [a, b, c].map(({ display_order }) => display_order)
  expect((await order([c.id, a.id, b.id], places)).status).toBe(200)
  expect((await order([c.id, a.id, b.id], places)).status).toBe(200) // its answer was lost
  expect(await order([b.id, a.id, c.id], places)).toMatchObject(told)
  expect((await order([b.id, a.id, c.id], [3, 2, 1])).status).toBe(200)
  expect(await order([b.id, a.id, c.id], [])).toMatchObject({ status: 200 })
  expect(await order([a.id, b.id, c.id], [])).toMatchObject(told)

  const translate = (es: string, seen: string) =>
    admin.call('PUT', `/admin/api/translations/tag/${a.id}`, { translations: { es }, seen: { es: seen } })
  expect((await translate('Uno', '')).status).toBe(200)
  expect((await translate('Uno', '')).status).toBe(200) // its answer was lost
  expect(await translate('Dos', '')).toMatchObject(told)
  expect((await translate('Dos', 'Uno')).status).toBe(200)
  const entries = (await admin.get('/admin/api/audit-log?action=translation_changed')).body.data
  expect(entries).toHaveLength(2)
})
