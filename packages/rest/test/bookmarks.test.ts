import { importCatalogue } from '@augury/platform/catalogue/import-catalogue'
import { expect, test } from 'vitest'
import { Browser, walletOf } from './browser.ts'
import { testSite } from './test-site.ts'

const at = await testSite()
const EVENTS = 20
const listing = (slug: string) => ({
  slug,
  title: `Will ${slug} happen?`,
  endDate: '2099-12-31T00:00:00Z',
  tags: [{ slug: 'news', label: 'News' }],
  markets: [{ question: `${slug}?`, slug: `${slug}-market`, outcomes: '["Yes", "No"]', outcomePrices: '["0.4", "0.6"]' }],
})
const catalogue = Array.from({ length: EVENTS }, (_, i) => listing(`event-${i}`))
await importCatalogue(at.site, {
  text: JSON.stringify(catalogue),
  creator: '0x00000000000000000000000000000000000000c1',
  register: () => Promise.reject(new Error('no exchange')),
}).catch(() => {})
await at.rows('update market set registered_at = now(), is_active = true')
await at.rows(`update event set status = 'active', active_markets_count = 1`)
const events = (await at.rows('select id, slug from event order by slug')) as { id: string; slug: string }[]
let wallets = 7000

const signedIn = async () => {
  const browser = new Browser(at)
  await browser.signIn(walletOf(++wallets))
  return browser
}
interface Listed {
  id: string
  is_bookmarked: boolean
}
const listed = async (browser: Browser, query = ''): Promise<Listed[]> => (await browser.get(`/api/events?limit=128${query}`)).body
const marked = async (browser: Browser) => (await listed(browser)).filter((event) => event.is_bookmarked).map(({ id }) => id)
const add = (browser: Browser, eventId: string) => browser.post('/api/bookmarks', { eventId })

test('a bookmark is stored once, marks its event for its member only, and removing it twice is harmless', async () => {
  const [one, other, visitor] = [await signedIn(), await signedIn(), new Browser(at)]
  const { id } = events[3]!
  for (let i = 0; i < 2; i++) expect((await add(one, id)).body).toEqual({ success: true })
  expect([await marked(one), await marked(other), await marked(visitor)]).toEqual([[id], [], []])
  const own = await listed(one, '&bookmarked=true')
  expect([own.map((event) => event.id), await listed(other, '&bookmarked=true'), await listed(visitor, '&bookmarked=true')]).toEqual([
    [id],
    [],
    [],
  ])
  expect((await one.call('DELETE', `/api/bookmarks/${id}`)).status).toBe(200)
  expect((await one.call('DELETE', `/api/bookmarks/${id}`)).status).toBe(200)
  expect([await marked(one), await listed(one, '&bookmarked=true')]).toEqual([[], []])
})

test('an unknown event cannot be bookmarked', async () => {
  const browser = await signedIn()
  const refused = { error: 'Event not found.', code: 'event_not_found' }
  expect(await add(browser, '01890a5d-ac96-774b-bcce-b302099a8057')).toMatchObject({ status: 404, body: refused })
  await at.rows(`update event set status = 'draft' where id = ?`, [events[0]!.id])
  expect(await add(browser, events[0]!.id)).toMatchObject({ status: 404, body: refused })
  await at.rows(`update event set status = 'active' where id = ?`, [events[0]!.id])
  expect((await add(browser, 'x')).status).toBe(400)
})

test('two hundred members at once see only their own bookmarks, also when some leave in the middle', async () => {
  const people = []
  for (let i = 0; i < 200; i++) {
    const browser = await signedIn()
    const own = [events[i % EVENTS]!.id, events[(i * 7 + 3) % EVENTS]!.id]
    for (const id of own) await add(browser, id)
    people.push({ browser, own: [...new Set(own)].sort() })
  }
  const leaving = people.map(async ({ browser }, i) => {
    if (i % 3 !== 0) return
    const gone = AbortSignal.timeout(i % 7)
    const cookie = [...browser.jar].map((pair) => pair.join('=')).join('; ')
    await Promise.resolve(
      at.app.request(new Request('http://site.test/api/events?bookmarked=true', { headers: { cookie }, signal: gone })),
    ).catch(() => {})
  })
  const seen = await Promise.all(people.map(async ({ browser }) => (await marked(browser)).sort()))
  await Promise.all(leaving)
  expect(seen).toEqual(people.map(({ own }) => own))
  expect(await marked(new Browser(at))).toEqual([])
})

test('a list with bookmarks is not cacheable', async () => {
  const browser = await signedIn()
  await add(browser, events[1]!.id)
  for (const [who, path] of [
    [browser, '/api/events'],
    [browser, '/api/events?bookmarked=true'],
    [new Browser(at), '/api/events?bookmarked=true'],
  ] as const) {
    const { headers } = await who.get(path)
    expect([path, headers.get('cache-control'), headers.get('vary')]).toEqual([path, 'private, no-store', 'Cookie, Authorization'])
  }
  expect(at.bugs).toEqual([])
})
