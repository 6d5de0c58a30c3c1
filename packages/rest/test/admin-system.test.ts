import { showSystem } from '@augury/platform/admin/system'
import { workerScheduler } from '@augury/platform/authorization/scheduler'
import { runJob } from '@augury/platform/jobs/run-job'
import { figuresJob } from '@augury/platform/sync/figures'
import { expect, test } from 'vitest'
import { Browser, walletOf } from './browser.ts'
import { enable, fund, tradingSite } from './exchange.ts'

const at = await tradingSite()
const admin = new Browser(at)
await admin.signIn(walletOf(7000))
await at.rows('insert into admin_wallet (address, created_at) values (?, now())', [walletOf(7000).address.toLowerCase()])
const [one, two] = [new Browser(at), new Browser(at)]
for (const [browser, number] of [
  [one, 7001],
  [two, 7002],
] as const) {
  await browser.signIn(walletOf(number))
  await enable(browser, walletOf(number))
  await fund(at, walletOf(number).address, '1000')
}
const { rain } = at.markets
const order = (side: string, size: string) => ({ tokenId: rain.yes, side, orderType: 'GTC', price: '0.5', size })
const system = async () => (await admin.get('/admin/api/system')).body.data
const partOf = async (name: string) => (await system()).parts.find((each: { name: string }) => each.name === name)

test('every component has its state and a remedy', async () => {
  const seen = await system()
  expect(seen.exchange).toMatchObject({ mode: 'normal', writer: 'primary' })
  expect(seen.parts.map(({ name, state }: Record<string, string>) => `${name} ${state}`)).toEqual([
    'database ok',
    'exchange ok',
    'history ok',
    'worker down',
    'uploads ok',
    'model off',
    'chain off',
  ])
  expect(seen).toMatchObject({
    keys: { current: '1', to_rotate: 0 },
    versions: { node: process.version, migration: expect.stringMatching(/^Migration/) },
  })
  for (const { state, remedy } of seen.parts) expect(remedy === '').toBe(state === 'ok')
  expect(JSON.stringify(seen)).not.toMatch(/postgres:\/\/|secret|passphrase/i)
})

test.each([
  [null, 'Let the site write into DATA_DIR.'],
  ['https://images.example/bucket', 'Look whether the bucket of UPLOADS_URL is there and its key may write.'],
])('image storage that fails, at %s, is shown with a remedy', async (uploadsUrl, remedy) => {
  const blobs = { ...at.site.blobs, put: () => Promise.reject(new Error('denied')) }
  const { data } = await showSystem({ ...at.site, blobs, settings: { ...at.site.settings, uploadsUrl } })
  expect(data.parts.find(({ name }) => name === 'uploads')).toMatchObject({ state: 'warning', remedy })
})

test('an exchange that never answers is reported soon, as this page must open fast', async () => {
  const anybody = { ...at.site.exchange.anybody, getStatus: () => new Promise<never>(() => {}) }
  const { data } = await showSystem({ ...at.site, exchange: { ...at.site.exchange, anybody } })
  expect(data.exchange).toBeNull()
  expect(data.parts.find(({ name }) => name === 'exchange')).toMatchObject({ state: 'down', text: 'The exchange does not answer.' })
})

test('values sealed by an older key of the ring are counted, settings included', async () => {
  await at.rows(`insert into sealed_setting (name, sealed, changed_at) values ('swap.apiKey', 'v1.0.AAAA', now())`)
  expect((await system()).keys.to_rotate).toBe(1)
  await at.rows('delete from sealed_setting')
})

test('trades of our own markets are counted once, on their day, with their fees', async () => {
  await one.post('/api/orders', order('BUY', '10'))
  const { body } = await two.post('/api/orders', { ...order('BUY', '10'), tokenId: rain.no })
  expect(body.state).toBe('filled')
  // The exchange has its own clock; the deployment counts up to a minute ago.
  const now = Date.now()
  const site = { ...at.site, now: () => new Date(now + 120_000) }
  await at.rows('update market set registered_at = ?', [new Date(now - 3_600_000)])
  const run = () => runJob(site, workerScheduler('test'), figuresJob(at.site.exchange.reader, at.site.exchange.operatorAddress))
  for (const _ of [1, 2]) expect(await run()).toMatchObject({ success: true, errors: 0 })
  const fee = Number(body.fee)
  expect(fee).toBeGreaterThan(0)
  const days = await at.rows('select sum(volume)::bigint as volume, sum(fees)::bigint as fees, sum(trades)::int as trades from site_day')
  expect(days).toEqual([{ volume: String(5_000_000), fees: String(Math.round(fee * 1_000_000)), trades: 1 }])
  const { data } = (await admin.get('/admin/api/dashboard?days=7')).body
  expect(data.days).toHaveLength(7)
  expect(data.totals).toMatchObject({ members: 3, fees: fee, active_events: 2, attention: 0 })
  expect(data.counted_until).toMatch(/^20/)
})

test('markets of others are not counted', async () => {
  await at.rows('delete from site_day')
  await at
    .rows('delete from sync_job where name = ?', ['figures'])
    .catch(() => at.rows(`update sync_job set cursor = null where name = 'figures'`))
  await at.rows(`update event set creator = '0x00000000000000000000000000000000000000c9' where slug = 'rain'`)
  const site = { ...at.site, now: () => new Date(Date.now() + 120_000) }
  await runJob(site, workerScheduler('test'), figuresJob(at.site.exchange.reader, at.site.exchange.operatorAddress))
  expect(await at.rows('select coalesce(sum(trades), 0)::int as trades from site_day')).toEqual([{ trades: 0 }])
  await at.rows(`update event set volume = 5000000, volume_24h = 4000000 where slug = 'rain'`)
  const { totals } = (await admin.get('/admin/api/dashboard')).body.data
  expect(totals).toMatchObject({ volume: 0, volume_24h: 0, fees: 0 }) // as in the days below them
})

test('an admin with a fresh proof switches the exchange to cancel-only and back, which is logged', async () => {
  const set = (mode: string, by = admin) => by.post('/admin/api/system/exchange-mode', { mode })
  expect((await set('cancel_only')).body).toEqual({ success: true })
  expect(await partOf('exchange')).toMatchObject({ state: 'warning', remedy: expect.stringContaining('normal') })
  expect(await one.post('/api/orders', order('BUY', '7'))).toMatchObject({ status: 503, body: { code: 'cancel_only' } })
  expect((await set('normal')).body).toEqual({ success: true })
  expect((await set('normal')).body).toEqual({ success: true })
  expect((await one.post('/api/orders', order('BUY', '8'))).status).toBe(200)
  expect((await admin.get('/admin/api/audit-log?action=venue_mode_changed')).body.totalCount).toBe(2)
  at.clock.advance(16 * 60_000)
  expect(await set('paused')).toMatchObject({ status: 403, body: { code: 'step_up_required' } })
})

test('a job that fails for half an hour is named, however lately it ran', async () => {
  const run = (state: string, minutes: number) =>
    at.rows(`insert into sync_run (job_name, scheduler, state, started_at, finished_at) values ('settlement', 'test', ?, ?, ?)`, [
      state,
      ...Array<Date>(2).fill(new Date(at.clock.now() - minutes * 60_000)),
    ])
  await at.rows(`delete from sync_run; insert into sync_job (name) values ('settlement'), ('cleaning') on conflict do nothing`)
  await run('finished', 20)
  await run('failed', 1)
  expect(await partOf('worker')).toMatchObject({ state: 'ok' })
  await run('finished', 40)
  await at.rows(`delete from sync_run where state = 'finished' and started_at > ?`, [new Date(at.clock.now() - 30 * 60_000)])
  expect(await partOf('worker')).toMatchObject({
    state: 'warning',
    text: 'These have failed for more than 30 minutes: settlement.',
    remedy: expect.stringContaining('last run'),
  })
  await at.rows('delete from sync_run')
})

test('without the exchange the page still works and shows a remedy', async () => {
  await at.stopExchange()
  expect(await partOf('exchange')).toMatchObject({ state: 'down', remedy: expect.stringContaining('clob-server') })
  expect(at.bugs).toEqual([])
})
