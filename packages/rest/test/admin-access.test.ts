import { issueAdminClaim } from '@augury/platform/admin/admins'
import { adminExamples } from '@augury/wire/documents/examples/admin'
import type { Operation } from '@augury/wire/operation'
import { adminOperations } from '@augury/wire/platform/admin-operations'
import { expect, test } from 'vitest'
import { Browser, walletOf } from './browser.ts'
import { testSite } from './test-site.ts'

const FIRST = walletOf(4000)
const lower = (number: number) => walletOf(number).address.toLowerCase() as `0x${string}`
const at = await testSite({ adminWallets: [lower(4000)] })
const signedIn = async (number: number) => {
  const browser = new Browser(at)
  await browser.signIn(walletOf(number))
  return browser
}
const admin = await signedIn(4000)
const member = await signedIn(4001)
const visitor = new Browser(at)
const pathOf = ({ path }: Operation) =>
  path
    .replace(/\{address\}/, lower(4000))
    .replace(/\{group\}/, 'general')
    .replace(/series\/\{slug\}/, 'series/btc-usd-5m')
    .replace(/\{\w+\}/g, '01890a5d-ac96-774b-bcce-b302099a8057')

const rows = Object.entries<Operation>(adminOperations).filter(([, { auth }]) => auth === 'admin')
test.each(rows)('%s is for admins only, and refuses one who was just removed', async (_, operation) => {
  const ask = (browser: Browser) => browser.call(operation.method, pathOf(operation), operation.body ? {} : undefined)
  expect(await ask(visitor)).toMatchObject({ status: 401, body: { success: false, error: 'Unauthenticated.', code: 'unauthenticated' } })
  const refused = { status: 403, body: { success: false, error: 'Unauthorized. Admin access required.', code: 'admin_required' } }
  expect(await ask(member)).toMatchObject(refused)
  await at.rows('insert into admin_wallet (address, created_at) values (?, now())', [lower(4001)])
  expect(await ask(member)).not.toMatchObject({ status: 403, body: { code: 'admin_required' } })
  await at.rows('delete from admin_wallet')
  expect(await ask(member)).toMatchObject(refused)
})

test('an admin adds and removes another; the last admin cannot be removed', async () => {
  const { post, call } = { post: admin.post.bind(admin), call: admin.call.bind(admin) }
  expect((await post('/admin/api/admins', { address: walletOf(4001).address })).body).toEqual({ success: true })
  expect((await post('/admin/api/admins', { address: walletOf(4001).address })).body).toEqual({ success: true })
  expect((await member.get('/api/auth/session')).body.is_admin).toBe(true)
  const { body } = await member.get('/admin/api/admins')
  expect(body.data.map(({ address, source }: Record<string, unknown>) => [address, source])).toEqual([
    [FIRST.address, 'settings'],
    [walletOf(4001).address, 'list'],
  ])
  const remove = (browser: Browser, number: number) => browser.call('DELETE', `/admin/api/admins/${walletOf(number).address}`)
  expect(await admin.call('DELETE', '/admin/api/admins/unknown')).toMatchObject({ status: 400, body: { code: 'invalid_payload' } })
  expect(await remove(member, 4001)).toMatchObject({ status: 409, body: { success: false, code: 'own_admin' } })
  expect(await remove(member, 4000)).toMatchObject({ status: 409, body: { code: 'admin_in_settings' } })
  expect((await remove(admin, 4001)).body).toEqual({ success: true })
  expect((await remove(admin, 4001)).body).toEqual({ success: true })
  expect((await member.get('/admin/api/admins')).status).toBe(403)
  const log = (await call('GET', '/admin/api/audit-log?action=admin_added')).body
  expect(log).toMatchObject({ totalCount: 1, data: [{ action: 'admin_added', details: { target: lower(4001) }, can_undo: false }] })
})

/** Changes that need no fresh proof, as they are visible and reversible. Every new operation that changes something is here or asks for one. */
const EVERYDAY = new Set([
  'adminUpload',
  'adminPutTheme',
  'adminCheckTheme',
  'adminAddTheme',
  'adminSaveTheme',
  'adminPublishTheme',
  'adminDeleteTheme',
  'adminAddCategory',
  'adminUpdateCategory',
  'adminOrderCategories',
  'adminTranslate',
  'adminSuggestTranslation',
  'adminCheckSlug',
  'adminUpdateEvent',
  'adminPauseEvent',
  'adminRescheduleEvent',
  'adminResumeEvent',
  'adminEndUserSessions',
  'adminWriteMarketContext',
  'adminAddDraft',
  'adminSaveDraft',
  'adminDeleteDraft',
  'adminCheckDraft',
  'adminPublishDraft',
  'adminCreateEvent',
  'adminPutSeries',
  'adminTurnSeries',
  'adminKeepComment',
  'adminCreateEventAi',
  'adminOpenrouterModels',
  'adminRetryDeadLetter',
  'adminRunSync',
])
const risky = rows.filter(
  ([name, { method, refusals }]) => !EVERYDAY.has(name) && (method !== 'GET' || refusals.includes('step_up_required')),
)
const window = { enabled: true, recurring: true, category: 'crypto', ahead: 2, settlement_seconds: 300, dispute_seconds: 600 }
const BODIES: Readonly<Record<string, unknown>> = {
  adminRestoreSettings: { version: 0 },
  adminSetVenueMode: { mode: 'paused' },
  adminAllowCreator: { address: lower(4005) },
  adminDisallowCreator: { address: lower(4005) },
  adminPutPriceSeries: { instrument: 'BTC/USD', source: 'oracle_a', display_name: 'Bitcoin', symbol_a: 'BTCUSDT', symbol_b: '', ...window },
}

test.each(risky)('%s asks for a fresh proof', async (name, operation) => {
  const late = await signedIn(4000)
  at.clock.advance(16 * 60_000)
  const { body } = (adminExamples as Record<string, { body?: unknown } | undefined>)[name] ?? {}
  expect(await late.call(operation.method, pathOf(operation), operation.body && (body ?? BODIES[name] ?? {}))).toMatchObject({
    status: 403,
    body: { success: false, code: 'step_up_required', details: { by: 'wallet' } },
  })
  expect(operation.refusals).toContain('step_up_required')
  expect((await late.get('/admin/api/admins')).status).toBe(200)
  await admin.signIn(FIRST)
})

test('the list of changes without a fresh proof is complete', () => {
  expect([...EVERYDAY].filter((name) => !rows.some(([each]) => each === name))).toEqual([])
})

test('the link of the first start makes one admin, once, and only if there is none', async () => {
  const empty = await testSite()
  expect(await issueAdminClaim(empty.site, [lower(4000)])).toBeNull()
  const old = await issueAdminClaim(empty.site, [])
  const token = await issueAdminClaim(empty.site, [])
  const [one, two] = [new Browser(empty), new Browser(empty)]
  const claim = (browser: Browser, what: unknown) => browser.post('/admin/api/claim', { token: what })
  expect((await claim(one, token)).status).toBe(401)
  await Promise.all([one.signIn(walletOf(4002)), two.signIn(walletOf(4003))])
  expect(await claim(one, old)).toMatchObject({ status: 403, body: { success: false, code: 'claim_invalid' } })
  expect((await claim(one, 'short')).status).toBe(400)
  const answers = await Promise.all([claim(one, token), claim(two, token)])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 403])
  expect(await issueAdminClaim(empty.site, [])).toBeNull()
  expect(await empty.rows('select count(*)::int as n from admin_wallet')).toEqual([{ n: 1 }])
})

test('an unused link makes no admin once the settings name one', async () => {
  const token = await issueAdminClaim(at.site, []) // before they did
  expect(token).not.toBeNull()
  expect(await member.post('/admin/api/claim', { token })).toMatchObject({ status: 403, body: { code: 'claim_invalid' } })
})

test('an unused link expires after a day', async () => {
  const empty = await testSite()
  const token = await issueAdminClaim(empty.site, [])
  empty.clock.advance(86_400_001)
  const late = new Browser(empty)
  await late.signIn(walletOf(4004))
  expect((await late.post('/admin/api/claim', { token })).body.code).toBe('claim_invalid')
})

test('the audit log is append-only and reveals tampering', async () => {
  const verify = async () => (await admin.get('/admin/api/audit-log/verify')).body
  const whole = await verify()
  expect(whole).toMatchObject({ success: true, data: { broken_at: null } })
  expect(whole.data.entries).toBeGreaterThan(3)
  for (const sql of [
    `update audit_log set action = 'x' where position = 2`,
    `update audit_log set position = null, hash = null where position = 2`,
    'delete from audit_log where position = 2',
    'truncate audit_log cascade',
  ])
    await expect(at.rows(sql)).rejects.toThrow(/only added to/)
  const owner = async (sql: string) => {
    await at.rows('alter table audit_log disable trigger user')
    await at.rows(sql)
    const verdict = await verify()
    await at.rows('alter table audit_log enable trigger user')
    return verdict.data.broken_at
  }
  await at.rows('create table kept as select * from audit_log')
  expect(await owner(`update audit_log set details = '{"x":1}' where position = 2`)).toBe(2)
  await owner('update audit_log set details = kept.details from kept where kept.id = audit_log.id')
  expect((await verify()).data.broken_at).toBeNull()
  expect(await owner('delete from audit_log where position = 2')).toBe(3)
  await owner('insert into audit_log select * from kept where position = 2')
  const last = whole.data.entries
  expect(await owner(`delete from audit_log where position = ${last}`)).toBe(last)
  await owner(`insert into audit_log select * from kept where position = ${last}`)
  expect((await verify()).data).toEqual(whole.data)
})

test('concurrent entries form one chain without a gap', async () => {
  await Promise.all(Array.from({ length: 12 }, (_, i) => signedIn(4100 + i)))
  const { data } = (await admin.get('/admin/api/audit-log/verify')).body
  expect(data.broken_at).toBeNull()
  const [{ n } = { n: 0 }] = await at.rows('select count(*)::int as n from audit_log where position is null')
  expect(n).toBe(0)
})

test.each([
  ['/admin/api/nothing', 404, 'not_found'],
  ['/admin/api/audit-log?user=x', 400, 'invalid_payload'],
  ['/admin/api/audit-log?search=%00', 400, 'invalid_payload'],
])('%s answers %i in the envelope of admin', async (path, status, code) => {
  expect(await admin.get(path)).toMatchObject({ status, body: { success: false, code } })
})

test('there were no unexpected failures', () => {
  expect(at.bugs).toEqual([])
})

test('the log can be searched by subject, details, actor and address', async () => {
  await admin.call('PUT', '/admin/api/settings/general', { siteName: 'Delphi 100%_sure' })
  const found = async (search: string) => {
    const { data, totalCount } = (await admin.get(`/admin/api/audit-log?search=${encodeURIComponent(search)}`)).body
    expect(totalCount).toBe(data.length)
    return data.map(({ action }: { action: string }) => action) as string[]
  }
  expect(await found('delphi 100%_SURE')).toEqual(['settings_changed'])
  expect(await found('100x')).toEqual([])
  expect(new Set(await found('settings ch'))).toEqual(new Set(['settings_changed']))
  const [entry] = (await admin.get('/admin/api/audit-log?action=settings_changed')).body.data
  for (const search of [entry.actor.address, entry.client_address]) expect(await found(search)).toContain('settings_changed')
})
