import { secretOf } from '@augury/platform/settings/secrets'
import { settingsOf } from '@augury/platform/settings/site-settings'
import { openSite } from '@augury/platform/site/site'
import { siteBrand } from '@augury/platform/themes/site-brand'
import { expect, test } from 'vitest'
import { Browser, walletOf } from './browser.ts'
import { testSite } from './test-site.ts'

const at = await testSite({ adminWallets: [walletOf(8000).address.toLowerCase() as `0x${string}`] })
const admin = new Browser(at)
await admin.signIn(walletOf(8000))
const put = (group: string, body: unknown) => admin.call('PUT', `/admin/api/settings/${group}`, body)
const get = async (group: string) => (await admin.get(`/admin/api/settings/${group}`)).body.data
const KEY = 'sk-or-v1-0123456789abcdef0123456789abcdef'

test('a group starts with its defaults, and a change applies at once in every process', async () => {
  expect(await get('general')).toMatchObject({
    version: 0,
    changed_at: null,
    values: { siteName: 'Augury', marketCreators: [] },
    secrets: {},
  })
  const other = await openSite(at.site.settings)
  const { data } = (
    await put('general', { siteName: 'Oracle of Delphi', discordLink: 'discord.gg/delphi', termsUrl: 'delphi.example/terms' })
  ).body
  expect(data).toMatchObject({ version: 1, values: { siteName: 'Oracle of Delphi', discordLink: 'https://discord.gg/delphi' } })
  expect(await settingsOf(other, 'general')).toMatchObject({
    siteName: 'Oracle of Delphi',
    siteDescription: 'An open prediction-market exchange.',
  })
  expect((await siteBrand(other)).links).toEqual([
    { name: 'Terms of service', url: 'https://delphi.example/terms' },
    { name: 'Discord', url: 'https://discord.gg/delphi' },
  ])
  await other.close()
})

type Row = [group: string, body: Record<string, unknown>, status: number]
test.each<Row>([
  ['general', { siteName: 'x'.repeat(80) }, 200],
  ['general', { siteName: 'x'.repeat(81) }, 400],
  ['general', { siteName: ' ' }, 400],
  ['general', { siteName: 'bell \u0007' }, 400],
  ['general', { siteDescription: 'x'.repeat(180) }, 200],
  ['general', { siteDescription: 'x'.repeat(181) }, 400],
  ['general', { googleAnalyticsId: 'G-ABC123' }, 200],
  ['general', { googleAnalyticsId: 'UA-1' }, 400],
  ['general', { googleAnalyticsId: '"><script>alert(1)</script>' }, 400],
  ['general', { walletConnectProjectId: 'A1'.repeat(16) }, 200],
  ['general', { walletConnectProjectId: 'abcdef' }, 400],
  ['general', { walletConnectProjectId: "x'; script-src *".padEnd(32, 'x') }, 400],
  ['general', { walletConnectProjectId: '' }, 200],
  ['general', { discordLink: 'javascript:alert(1)' }, 400],
  ['general', { supportUrl: 'data:text/html,x' }, 400],
  ['general', { termsUrl: 'javascript:alert(1)' }, 400],
  ['general', { youtubeLink: `https://y.example/${'x'.repeat(2048)}` }, 400],
  ['general', { feeRecipientWallet: walletOf(1).address }, 500], // the exchange must be told, and is unavailable
  ['general', { feeRecipientWallet: '0x12' }, 400],
  ['general', { feeRecipientWallet: '' }, 200],
  ['general', { marketCreators: `${walletOf(1).address}\n${walletOf(2).address}\n\n${walletOf(1).address}` }, 200],
  ['general', { marketCreators: 'not an address' }, 400],
  [
    'general',
    {
      marketCreators: Array(501)
        .fill(0)
        .map((_, i) => walletOf(i + 1).address),
    },
    400,
  ],
  ...['/uploads/a.png', 'brand/logo-1.min.svg', ''].map((logoImagePath): Row => ['general', { logoImagePath }, 200]),
  ...[
    ...['../x', '/../x', '/uploads/../../x', '/uploads/..', '/./x', '.', '/.env', 'a/', '/a//b', '//evil.example/x.png', '/'],
    ...['https://evil.example/x.png', 'javascript:alert(1)', 'data:image/png;base64,AAAA', '\\\\evil.example\\x', '/uploads\\..\\x'],
    ...['/%2e%2e/x', '/..%2fx', '/a b', '/a?b', '/a#b', '/a"onload=', '/a\n'],
  ].flatMap((path) => ['logoImagePath', 'pwaIcon192Path', 'pwaIcon512Path'].map((key): Row => ['general', { [key]: path }, 400])),
  ['general', { unknown: 1 }, 400],
  ['ai', { maxTokens: 100 }, 200],
  ['ai', { maxTokens: 99 }, 400],
  ['ai', { maxTokens: 8001 }, 400],
  ['ai', { marketContextPrompt: 'short' }, 400],
  ['ai', { systemPrompt: 'x'.repeat(6001) }, 400],
  ['ai', { dailyBudget: -1 }, 400],
  ['ai', { apiKey: 'with\nnewline' }, 400],
  ['swap', { integrator: 'augury.site-1' }, 200],
  ['swap', { integrator: 'a b' }, 400],
  ['resolution', { secondAdmin: true }, 409], // there is no second admin
  ['resolution', { secondAdmin: 'yes' }, 400],
  ['affiliate', { tradeFeeBps: 1000, affiliateShareBps: 10_000 }, 200],
  ['affiliate', { tradeFeeBps: 1001 }, 400],
  ['affiliate', { affiliateShareBps: 0.5 }, 400],
  ['home', { pinned: [] }, 200],
  ['home', { pinned: ['no-such-event'] }, 404],
  ['home', { pinned: ['twice', 'twice'] }, 400],
  ['home', { pinned: ['<script>'] }, 400],
  ['home', { pinned: Array.from({ length: 9 }, (_, i) => `event-${i}`) }, 400],
  ['announcement', { texts: { en: 'x'.repeat(300) }, tone: 'warning', until: '2026-11-21T12:00:00.000Z' }, 200],
  ['announcement', { texts: { en: 'x'.repeat(301) } }, 400],
  ['announcement', { texts: { xx: 'Hello' } }, 400],
  ['announcement', { texts: {}, link: 'status.example' }, 200],
  ['announcement', { link: 'javascript:alert(1)' }, 400],
  ['announcement', { tone: 'shouting' }, 400],
  ['announcement', { until: 'tomorrow' }, 400],
  ['announcement', { until: '' }, 200],
  ['locales', { enabledLocales: ['en', 'ar'], defaultLocale: 'ar' }, 200],
  ['locales', { enabledLocales: [] }, 400],
  ['locales', { enabledLocales: ['xx'] }, 400],
  ['locales', { enabledLocales: ['en'], defaultLocale: 'es' }, 400],
])('%s takes or refuses %j', async (group, body, status) => {
  const answer = await put(group, body)
  expect([answer.status, answer.body.success]).toEqual([status, status === 200])
})

test('the logo has the address at which it is found, beside the path under which it is stored', async () => {
  for (const [logoImagePath, logoImageUrl] of [
    ['/uploads/a.png', 'https://site.test/uploads/a.png'],
    ['brand/a.png', 'https://site.test/brand/a.png'],
    ['', ''],
  ])
    expect((await put('general', { logoImagePath })).body.data).toMatchObject({
      values: { logoImagePath: logoImagePath === 'brand/a.png' ? '/brand/a.png' : logoImagePath },
      logoImageUrl,
    })
  expect(await get('home')).not.toHaveProperty('logoImageUrl')
})

test('a version with what is refused by now is not gone back to', async () => {
  const { version } = await get('general')
  await at.rows(`insert into settings_version (group_name, number, values, created_at) values ('general', ?, ?::jsonb, now())`, [
    version + 1,
    JSON.stringify({ logoImagePath: '../../x' }),
  ])
  expect((await put('general', { logoImagePath: '/brand/a.png' })).status).toBe(200)
  expect(await admin.post('/admin/api/settings/general/restore', { version: version + 1 })).toMatchObject({
    status: 400,
    body: { code: 'invalid_payload', details: [{ path: 'logoImagePath' }] },
  })
})

test('creators are edited one by one, and the admin list is the same list', async () => {
  const two = [walletOf(1).address, walletOf(2).address]
  await put('general', { marketCreators: two.join('\n') })
  const shown = (await admin.get(`/admin/api/create-event/allowed-creators?address=${two[0]}`)).body
  expect(shown).toMatchObject({ wallets: two, allowed: true })
  const path = '/admin/api/create-event/allowed-creators'
  expect((await admin.call('DELETE', path, { address: two[0] })).body).toEqual({ success: true })
  expect((await admin.get(`${path}?address=${two[0]}`)).body).toMatchObject({ wallets: [two[1]], allowed: false })
  expect((await admin.call('DELETE', path, { address: two[1] })).body).toEqual({ success: true })
  const own = at.site.exchange.operatorAddress
  expect((await admin.get(path)).body).toMatchObject({ wallets: [own], allowed: true, items: [{ own: true, events: 0 }] })
  expect((await admin.post(path, { address: two[0] })).body).toEqual({ success: true })
  expect((await admin.get(path)).body.wallets).toEqual([own, two[0]])
  await put('general', { marketCreators: '' })
})

test('a key is write-only: shown masked, kept by an empty text and removed by null', async () => {
  expect((await get('ai')).secrets).toEqual({ apiKey: { set: false, masked: '', changed_at: null } })
  await put('ai', { apiKey: KEY, model: 'some/model' })
  expect((await get('ai')).secrets.apiKey).toMatchObject({ set: true, masked: '••••cdef' })
  await put('ai', { apiKey: '', maxTokens: 700 })
  expect(await secretOf(at.site.em(), at.site.vault, 'ai.apiKey')).toBe(KEY)
  await put('swap', { apiKey: 'short' })
  expect((await get('swap')).secrets.apiKey.masked).toBe('••••')
  const everywhere = [
    await admin.get('/admin/api/settings/ai/history'),
    await admin.get('/admin/api/audit-log'),
    await admin.get('/admin/api/settings/ai'),
    { body: await at.rows('select * from settings_version') },
    { body: await at.rows('select * from sealed_setting') },
  ]
  expect(JSON.stringify(everywhere.map(({ body }) => body))).not.toMatch(/0123456789abcdef|"short"/)
  await put('ai', { apiKey: null })
  expect((await get('ai')).secrets.apiKey.set).toBe(false)
})

test('a key that cannot be opened any more is shown as set, and set anew', async () => {
  await put('ai', { apiKey: KEY })
  await at.rows(`update sealed_setting set sealed = 'v1.gone.AAAA'`)
  expect(await get('ai')).toMatchObject({ secrets: { apiKey: { set: true, masked: '••••' } } })
  expect((await put('ai', { maxTokens: 800 })).status).toBe(200)
  await put('ai', { apiKey: KEY })
  expect((await get('ai')).secrets.apiKey.masked).toBe('••••cdef')
  await put('ai', { apiKey: null })
})

test('an outdated form overwrites nothing; versions are kept and can be restored', async () => {
  const { version } = await get('affiliate')
  expect((await put('affiliate', { version, tradeFeeBps: 111 })).status).toBe(200)
  expect((await put('affiliate', { version, tradeFeeBps: 111 })).body.data).toMatchObject({ version: version + 1 }) // its answer was lost
  expect(await put('affiliate', { version, tradeFeeBps: 222 })).toMatchObject({ status: 409, body: { code: 'changed_meanwhile' } })
  await put('affiliate', { affiliateShareBps: 1 })
  const history = (await admin.get('/admin/api/settings/affiliate/history')).body
  expect(history.data[0]).toMatchObject({
    version: version + 2,
    values: { tradeFeeBps: 111, affiliateShareBps: 1 },
    actor: { username: null },
  })
  const { data } = (await admin.get('/admin/api/audit-log?action=settings_changed&limit=2')).body
  expect(data[1].details).toMatchObject({ target: 'affiliate', after: { tradeFeeBps: 111 } })
  expect((await admin.post(`/admin/api/audit-log/${data[1].id}/undo`)).body).toEqual({ success: true })
  expect((await get('affiliate')).values).toMatchObject({ tradeFeeBps: 1000, affiliateShareBps: 1 })
  expect(await admin.post(`/admin/api/audit-log/${data[1].id}/undo`)).toMatchObject({ status: 409, body: { code: 'changed_meanwhile' } })
  const restore = (seen: number) => admin.post('/admin/api/settings/affiliate/restore', { version: 0, seen })
  expect(await restore(version + 2)).toMatchObject({ status: 409, body: { code: 'changed_meanwhile' } })
  expect((await restore(version + 3)).body.success).toBe(true)
  expect((await restore(version + 3)).body.success).toBe(true) // its answer was lost
  expect((await get('affiliate')).values).toEqual({ tradeFeeBps: 400, affiliateShareBps: 5000 })
  expect(await admin.post('/admin/api/settings/affiliate/restore', { version: 99 })).toMatchObject({ status: 404 })
  expect(await admin.post('/admin/api/settings/affiliate/restore', { version: 2 ** 31 })).toMatchObject({ status: 400 })
})

test('an announcement is the same in whatever order its languages are given', async () => {
  const announce = (texts: object) => put('announcement', { texts, tone: 'info' })
  const { version } = (await announce({ es: 'Hola', en: 'Hello', ar: 'مرحبا' })).body.data
  expect((await announce({ en: 'Hello', ar: 'مرحبا', es: 'Hola' })).body.data.version).toBe(version)
  expect((await announce({ es: 'Hola', en: 'Hello', ar: 'مرحبا' })).body.data.version).toBe(version)
})

test('no concurrent change is lost', async () => {
  const names = ['twitterLink', 'facebookLink', 'instagramLink', 'tiktokLink', 'linkedinLink', 'youtubeLink']
  await Promise.all(names.map((name) => put('general', { [name]: `https://${name.toLowerCase()}.example/` })))
  const { values } = await get('general')
  for (const name of names) expect(values[name]).toContain(name.toLowerCase())
})

test('settings ask for a fresh proof', async () => {
  at.clock.advance(16 * 60_000)
  expect(await put('general', { siteName: 'Late' })).toMatchObject({ status: 403, body: { success: false, code: 'step_up_required' } })
  await admin.signIn(walletOf(8000))
})

test('categories are an acyclic ordered tree, and hidden ones are not shown as tabs', async () => {
  const add = async (slug: string, more = {}) => (await admin.post('/admin/api/categories', { name: slug, slug, ...more })).body.data
  const [sport, ball, cup] = [await add('sport', { is_main_category: true }), await add('ball'), await add('cup')]
  const patch = (id: string, body: unknown) => admin.call('PATCH', `/admin/api/categories/${id}`, body)
  expect(await admin.post('/admin/api/categories', { name: 'Sport', slug: 'sport' })).toMatchObject({
    status: 409,
    body: { code: 'slug_taken' },
  })
  for (const slug of ['trending', 'new']) {
    // what the list of events is asked for by these words
    const refused = { status: 400, body: { code: 'invalid_payload', details: [{ path: 'slug' }] } }
    expect(await admin.post('/admin/api/categories', { name: slug, slug })).toMatchObject(refused)
    expect(await patch(ball.id, { slug })).toMatchObject(refused)
  }
  expect((await patch(ball.id, { parents: [sport.id] })).body.data.parents).toEqual([sport.id])
  expect((await patch(cup.id, { parents: [ball.id] })).status).toBe(200)
  expect(await patch(sport.id, { parents: [cup.id] })).toMatchObject({ status: 409, body: { code: 'category_loop' } })
  expect(await patch(ball.id, { parents: [ball.id] })).toMatchObject({ status: 409, body: { code: 'category_loop' } })
  expect(await patch(ball.id, { slug: 'cup' })).toMatchObject({ status: 409, body: { code: 'slug_taken' } })
  expect((await admin.call('PUT', '/admin/api/categories/order', { ids: [cup.id, ball.id, sport.id] })).body).toEqual({ success: true })
  const names = async () => (await admin.get('/admin/api/categories')).body.data.map(({ name }: { name: string }) => name)
  expect(await names()).toEqual(['cup', 'ball', 'sport'])
  expect((await admin.get('/admin/api/main-tags')).body).toMatchObject({
    mainCategories: [{ slug: 'sport', childs: [{ slug: 'ball' }] }],
    globalCategories: [],
  })
  expect((await patch(sport.id, { is_hidden: true })).body.data.is_hidden).toBe(true)
  const [entry] = (await admin.get('/admin/api/audit-log?action=category_changed')).body.data
  expect((await admin.post(`/admin/api/audit-log/${entry.id}/undo`)).body).toEqual({ success: true })
  expect((await admin.get('/admin/api/categories?search=sport')).body.data).toMatchObject([{ is_hidden: false }])
  expect(await admin.get('/admin/api/categories?sortBy=secret')).toMatchObject({ status: 400, body: { code: 'invalid_sort_by' } })

  const translate = (body: unknown) => admin.call('PUT', `/admin/api/translations/tag/${sport.id}`, { translations: body })
  expect((await translate({ es: 'Deporte' })).body.data).toEqual({
    original: 'sport',
    translations: { es: { text: 'Deporte', by_person: true } },
  })
  expect(await translate({ xx: 'Sport' })).toMatchObject({ status: 400 })
  expect((await translate({ es: '' })).body.data.translations).toEqual({})
})

test('there were no unexpected failures', () => {
  expect(at.bugs).toEqual([])
})
