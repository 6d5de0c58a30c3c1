import { importCatalogue } from '@augury/platform/catalogue/import-catalogue'
import { expect, test } from 'vitest'
import { Browser, walletOf } from './browser.ts'
import { testSite } from './test-site.ts'

const at = await testSite()
const rain = {
  ...{ slug: 'rain', title: 'Will it rain?', endDate: '2099-12-31T00:00:00Z', tags: [{ slug: 'news', label: 'News' }] },
  markets: [{ question: 'Rain?', slug: 'rain-market', outcomes: '["Yes", "No"]', outcomePrices: '["0.4", "0.6"]' }],
}
await importCatalogue(at.site, {
  text: JSON.stringify([rain]),
  creator: '0x00000000000000000000000000000000000000c1',
  register: () => Promise.reject(new Error('no exchange')),
}).catch(() => {})
await at.rows(`update event set status = 'active'`)

const signedIn = async (number: number) => {
  const browser = new Browser(at)
  await browser.signIn(walletOf(number))
  return browser
}
const [admin, author, first, second] = await Promise.all([13_000, 13_001, 13_002, 13_003].map(signedIn))
await at.rows('insert into admin_wallet (address, created_at) values (?, now())', [walletOf(13_000).address.toLowerCase()])

async function say(content: string): Promise<string> {
  at.clock.advance(1000)
  return (await author!.post('/api/comments', { event: 'rain', content })).body.id
}
function report(browser: Browser, id: string) {
  at.clock.advance(1000)
  return browser.post(`/api/comments/${id}/report`)
}
const list = async (query = '') => (await admin!.get(`/admin/api/comments?${query}`)).body
const contents = async (query?: string) => (await list(query)).data.map(({ content }: { content: string }) => content)
const waiting = async () => (await admin!.get('/admin/api/dashboard')).body.data.totals.reported_comments

const [harmless, rude, spam] = [await say('It will.'), await say('You fool.'), await say('Buy my things.')]

test('reported comments come first with their counts, and are counted on the overview', async () => {
  for (const [browser, id] of [[first, spam], [second, spam], [first, rude]] as const) await report(browser!, id) // biome-ignore format: pairs
  expect(await contents()).toEqual(['Buy my things.', 'You fool.', 'It will.'])
  expect(await contents('reported=true')).toEqual(['Buy my things.', 'You fool.'])
  expect(await contents('search=FOOL')).toEqual(['You fool.'])
  expect(await contents(`search=${walletOf(13_001).address}&sortBy=created_at&limit=1`)).toEqual(['Buy my things.'])
  expect(await list('limit=1&offset=1')).toMatchObject({
    totalCount: 3,
    data: [
      {
        ...{ id: rude, reports_count: 1, likes_count: 0, is_answer: false },
        event: { slug: 'rain', title: 'Will it rain?' },
        user: { address: walletOf(13_001).address, banned: false },
      },
    ],
  })
  expect(await waiting()).toBe(2)
  expect((await admin!.get('/admin/api/comments?sortBy=content')).body.code).toBe('invalid_sort_by')
})

test('a removed comment is gone for everybody, and the log has who removed it but not its text', async () => {
  for (const _ of [1, 2]) expect((await admin!.call('DELETE', `/admin/api/comments/${spam}`)).body).toEqual({ success: true })
  expect(await contents('reported=true')).toEqual(['You fool.'])
  const said = (await author!.get('/api/comments?event=rain')).body.map(({ content }: { content: string }) => content)
  expect(said).toEqual(['You fool.', 'It will.'])
  const log = (await admin!.get('/admin/api/audit-log?action=comment_removed')).body
  expect(log).toMatchObject({ totalCount: 1, data: [{ details: { target: spam, after: { event: 'rain' } }, can_undo: false }] })
  expect(JSON.stringify(log)).not.toContain('Buy my')
})

test('a kept comment comes back only by a report of another member', async () => {
  for (const _ of [1, 2]) expect((await admin!.post(`/admin/api/comments/${rude}/keep`)).body).toEqual({ success: true })
  expect(await contents('reported=true')).toEqual([])
  expect(await waiting()).toBe(0)
  await report(first!, rude)
  expect(await contents('reported=true')).toEqual([])
  await report(second!, rude)
  expect(await list('reported=true')).toMatchObject({ data: [{ id: rude, reports_count: 1 }] })
  expect((await admin!.get('/admin/api/audit-log?action=comment_kept')).body.totalCount).toBe(1)
  expect((await admin!.post(`/admin/api/comments/${harmless}/keep`)).body).toEqual({ success: true })
})

test('an unknown comment is refused', async () => {
  const id = '01890a5d-ac96-774b-bcce-b302099a8057'
  const missing = { status: 404, body: { success: false, code: 'comment_not_found' } }
  expect(await admin!.call('DELETE', `/admin/api/comments/${id}`)).toMatchObject(missing)
  expect(await admin!.post(`/admin/api/comments/${id}/keep`)).toMatchObject(missing)
  expect(at.bugs).toEqual([])
})
