import { workerScheduler } from '@augury/platform/authorization/scheduler'
import { readDraft } from '@augury/platform/creation/drafts'
import { publishingJob } from '@augury/platform/creation/publishing-job'
import { runJob } from '@augury/platform/jobs/run-job'
import { expect, test } from 'vitest'
import { walletOf } from './browser.ts'
import { content, creationSite, END, three } from './creation.ts'

const { at, own, operator, site, admin, add, publish, check, failing } = await creationSite()

test('the worker continues stopped publications, and creates recurring events in time, once', async () => {
  const { id } = await add(three('for-the-worker', 'exclusive'))
  await failing(() => publish(id), 'before')
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

test('of two admins who change the same recurring event, the second gets a conflict', async () => {
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
  expect(await publish(other.id)).toMatchObject({ body: { code: 'slug_taken', error: expect.stringContaining('stop it first') } })
  at.clock.advance(Date.parse(END) - at.site.now().getTime() + 1000)
  expect(await runJob(site, workerScheduler('test'), publishingJob(operator, own))).toMatchObject({ errors: 0 })
  const rows = await at.rows(`select slug, title from event where series_slug = 'snow' order by end_date`)
  expect(rows.map(({ slug }) => slug)).toEqual([`snow-${day}`, `snow-${next.toISOString().slice(0, 10)}`])
  expect(rows[0]!.title).toMatch(/^Will it snow by \d+ \w+ \d{4}\?$/)

  // Once it was stopped, a draft of another day puts right what it says from then on.
  await admin.signIn(walletOf(6000))
  expect((await admin.call('PATCH', '/admin/api/series/snow', { enabled: false })).status).toBe(200)
  const end_date = new Date(next.getTime() + 2 * 86_400_000).toISOString()
  const better = await add({ ...weekly, title: 'Does it snow by {date}?', end_date })
  expect((await publish(better.id)).body.data).toMatchObject({ state: 'published', slug: `snow-${end_date.slice(0, 10)}` })
  const after = { enabled: true, next_end: new Date(Date.parse(end_date) + 7 * 86_400_000).toISOString() }
  expect((await admin.get('/admin/api/series')).body.data).toContainEqual(
    expect.objectContaining({ slug: 'snow', content: expect.objectContaining({ title: 'Does it snow by {date}?' }), ...after }),
  )
  const [entry] = (await admin.get('/admin/api/audit-log?action=series_changed&limit=1')).body.data
  expect(entry.details).toMatchObject({ target: 'snow', before: { enabled: false }, after })
})

test('there were no unexpected failures', () => {
  expect(at.bugs).toEqual([])
})
