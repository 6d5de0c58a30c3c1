import { randomUUID } from 'node:crypto'
import { importCatalogue } from '@augury/platform/catalogue/import-catalogue'
import { expect, test } from 'vitest'
import { Browser, walletOf } from './browser.ts'
import { testSite } from './test-site.ts'

const at = await testSite()
const listing = (slug: string) => ({
  slug,
  title: `Will ${slug} happen?`,
  endDate: '2099-12-31T00:00:00Z',
  tags: [{ slug: 'news', label: 'News' }],
  markets: [{ question: `${slug}?`, slug: `${slug}-market`, outcomes: '["Yes", "No"]', outcomePrices: '["0.4", "0.6"]' }],
})
await importCatalogue(at.site, {
  text: JSON.stringify(['rain', 'snow'].map(listing)),
  creator: '0x00000000000000000000000000000000000000c1',
  register: () => Promise.reject(new Error('no exchange')),
}).catch(() => {})
await at.rows(`update event set status = 'archived'`)
let wallets = 11_000

const signedIn = async () => {
  const browser = new Browser(at)
  const wallet = walletOf(++wallets)
  const { user } = (await browser.signIn(wallet)).body
  return { browser, wallet, user }
}
interface Shown {
  id: string
  content: string
}
const say = async (browser: Browser, content: string, more = {}) => {
  at.clock.advance(1000)
  return browser.post('/api/comments', { event: 'rain', content, ...more })
}
const said = async (browser: Browser, query = ''): Promise<Shown[]> => (await browser.get(`/api/comments?event=rain${query}`)).body
const texts = async (browser: Browser, query?: string) => (await said(browser, query)).map(({ content }) => content)
const visitor = new Browser(at)
const missing = { status: 404, body: { error: 'Comment not found.', code: 'comment_not_found' } }
const [one, other] = [await signedIn(), await signedIn()]

test('a comment that is sent again, because the answer was lost, is there once', async () => {
  const ref = randomUUID()
  const body = { event: 'rain', content: 'Sent twice.', ref }
  const [first, again] = await Promise.all([1, 2].map(() => one.browser.post('/api/comments', body)))
  expect(first!.body).toMatchObject({ id: ref, content: 'Sent twice.', own: true })
  expect(again!.body).toEqual(first!.body)
  const duplicate = { status: 409, body: { code: 'duplicate_ref' } }
  expect(await one.browser.post('/api/comments', { ...body, content: 'Something else.' })).toMatchObject(duplicate)
  expect(await one.browser.post('/api/comments', { ...body, event: 'snow' })).toMatchObject(duplicate)
  expect(await other.browser.post('/api/comments', body)).toMatchObject(duplicate)
  expect((await texts(visitor)).filter((text) => text === 'Sent twice.')).toHaveLength(1)
  await one.browser.call('DELETE', `/api/comments/${ref}`)
})

test('comments, replies and likes are public, and each member sees their own marked', async () => {
  const first = await say(one.browser, '  It will.\nSurely.  ')
  expect([first.status, first.body]).toEqual([
    200,
    {
      ...{ id: first.body.id, parent: null, content: 'It will.\nSurely.', deleted: false },
      user: { username: null, address: one.wallet.address, image: '' },
      ...{ likes_count: 0, replies_count: 0, liked: false, own: true, created_at: at.site.now().toISOString() },
    },
  ])
  const { id } = first.body
  const second = await say(other.browser, 'Never.')
  const answer = await say(other.browser, 'Why?', { parent: id })
  const like = (browser: Browser, body?: unknown) => browser.call('POST', `/api/comments/${id}/like`, body)
  expect((await like(other.browser)).body).toEqual({ liked: true, likes_count: 1 })
  expect((await like(other.browser)).body).toEqual({ liked: true, likes_count: 1 })
  expect((await like(one.browser)).body).toEqual({ liked: true, likes_count: 2 })
  expect((await like(one.browser, { like: false })).body).toEqual({ liked: false, likes_count: 1 })

  expect(await texts(visitor)).toEqual(['Never.', 'It will.\nSurely.'])
  expect(await texts(visitor, '&sort=likes')).toEqual(['It will.\nSurely.', 'Never.'])
  expect(await texts(visitor, `&parent=${id}`)).toEqual(['Why?'])
  expect(await texts(visitor, '&limit=1&offset=1')).toEqual(['It will.\nSurely.'])
  const seen = async (browser: Browser) => (await said(browser, '&sort=likes'))[0]
  expect(await seen(visitor)).toMatchObject({ likes_count: 1, replies_count: 1, liked: false, own: false })
  expect(await seen(other.browser)).toMatchObject({ liked: true, own: false })
  expect(await seen(one.browser)).toMatchObject({ liked: false, own: true })
  expect(JSON.stringify(await said(visitor))).not.toContain(one.user.id)
  expect((await visitor.get('/api/comments?event=snow')).body).toEqual([])

  expect(await say(one.browser, 'Because.', { parent: answer.body.id })).toMatchObject(missing)
  expect(await say(one.browser, 'Elsewhere.', { parent: id, event: 'snow' })).toMatchObject(missing)
  const remove = (browser: Browser, which: string) => browser.call('DELETE', `/api/comments/${which}`)
  expect(await remove(other.browser, id)).toMatchObject(missing)
  expect((await remove(one.browser, id)).body).toEqual({ success: true })
  expect((await remove(one.browser, id)).body).toEqual({ success: true })
  expect(await texts(visitor)).toEqual(['Never.', ''])
  expect(await like(other.browser)).toMatchObject(missing)
  expect(await say(one.browser, 'Late.', { parent: id })).toMatchObject(missing)
  await remove(other.browser, answer.body.id)
  expect((await said(visitor)).map((each) => each.id)).toEqual([second.body.id])
  expect(await at.rows(`select content from comment where deleted_at is not null and content <> ''`)).toEqual([])
})

test.each(['', '?event=', '?sort=likes'])('comments%s of no event are refused with what is missing', async (query) => {
  const details = [{ path: 'event', problem: 'expected the slug of an event' }]
  expect(await visitor.get(`/api/comments${query}`)).toMatchObject({ status: 400, body: { code: 'invalid_payload', details } })
})

test('an offset beyond the limit is refused', async () => {
  expect((await new Browser(at).get('/api/comments?event=rain&offset=10000')).body).toEqual([])
  expect(await new Browser(at).get('/api/comments?event=rain&offset=10001')).toMatchObject({
    status: 400,
    body: { code: 'invalid_payload' },
  })
})

test('a report counts once per member', async () => {
  const { id } = (await say(one.browser, 'Buy my things.')).body
  const report = (browser: Browser) => browser.post(`/api/comments/${id}/report`)
  for (const { browser } of [other, other, await signedIn()]) expect((await report(browser)).body).toEqual({ success: true })
  expect(await at.rows(`select count(*)::int as n from comment_mark where comment_id = ? and kind = 'report'`, [id])).toEqual([{ n: 2 }])
  expect(await other.browser.post('/api/comments/01890a5d-ac96-774b-bcce-b302099a8057/report')).toMatchObject(missing)
})

test.each([
  ['', 400],
  ['   ', 400],
  ['a'.repeat(2001), 400],
  ['nul \u0000', 400],
  ['bell \u0007', 400],
  ['a'.repeat(2000), 200],
  [`<script>alert(1)</script> '; drop table comment; --`, 200],
  ['🌧️ ünïcode', 200],
])('%j as a comment answers %i', async (content, status) => {
  const answer = await say(other.browser, content)
  expect(answer.status).toBe(status)
  if (status === 200) expect((await said(visitor))[0]!.content).toBe(content)
})

test('a comment is stored as it is displayed, and an invisible one is refused', async () => {
  expect((await say(other.browser, `Pay\u202Egpj.exe \u200BZ${'\u0335'.repeat(50)}`)).body.content).toBe(
    `Paygpj.exe Z${'\u0335'.repeat(4)}`,
  )
  expect((await say(other.browser, '\u200B \u3164')).status).toBe(400)
})

test('the latest comments are of all events, by event, author or id, without deleted ones and those of hidden events', async () => {
  const { browser, user } = await signedIn()
  const first = (await say(browser, 'Of rain.')).body
  await say(browser, 'Of snow.', { event: 'snow' })
  await say(browser, 'An answer.', { parent: first.id })
  await browser.call('DELETE', `/api/comments/${(await say(browser, 'Taken back.')).body.id}`)
  const latest = async (query: string) => (await visitor.get(`/api/latest-comments?${query}`)).body
  const contents = async (query: string) => (await latest(query)).map(({ content }: Shown) => content)
  const by = `user=${user.address}`
  expect(await contents(by)).toEqual(['An answer.', 'Of snow.', 'Of rain.'])
  expect(await contents(`${by}&event=rain&ascending=true&limit=1&offset=1`)).toEqual(['An answer.'])
  expect((await latest(by))[0]).toMatchObject({ event: 'rain', parent: first.id, reply_to: user.address, user: { address: user.address } })
  expect(await latest(`id=${first.id}`)).toMatchObject([{ id: first.id, reply_to: null }])
  await at.rows(`update event set hidden_at = now() where slug = 'snow'`)
  expect(await contents(by)).toEqual(['An answer.', 'Of rain.'])
  await at.rows(`update event set hidden_at = null where slug = 'snow'`)
})

test('unknown events cannot be commented on, and banned members cannot comment, like or report', async () => {
  const unknown = { status: 404, body: { error: 'Event not found.', code: 'event_not_found' } }
  expect(await visitor.get('/api/comments?event=nothing')).toMatchObject(unknown)
  expect(await say(one.browser, 'Hm.', { event: 'nothing' })).toMatchObject(unknown)
  const { browser, user } = await signedIn()
  await at.rows('update users set banned_at = now() where id = ?', [user.id])
  const banned = { status: 403, body: { code: 'account_banned' } }
  expect(await say(browser, 'Hm.')).toMatchObject(banned)
  const { id } = (await say(one.browser, 'Hm.')).body
  expect(await browser.post(`/api/comments/${id}/like`)).toMatchObject(banned)
  expect(await browser.post(`/api/comments/${id}/report`)).toMatchObject(banned)
  expect(await browser.post(`/api/comments/${id}/like`, { like: false })).toMatchObject({ status: 200 })
  expect(at.bugs).toEqual([])
})
