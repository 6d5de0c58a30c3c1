import { workerScheduler } from '@augury/platform/authorization/scheduler'
import { takeLease } from '@augury/platform/jobs/lease'
import { afterEach, describe, expect, test } from 'vitest'
import { Browser } from './browser.ts'
import { testSite } from './test-site.ts'

const SECRET = 'a secret of the scheduler in tests'
const JOBS = ['events', 'volume', 'resolution', 'prices', 'users', 'books']

const at = await testSite()
const as = (authorization: string | null, more: Record<string, string> = {}) => ({ headers: { authorization, ...more } })
const get = (job: string, unusual = as(`Bearer ${SECRET}`)) => new Browser(at).get(`/api/sync/${job}`, unusual)

afterEach(async () => {
  await at.rows('delete from sync_run')
  await at.rows('delete from sync_job')
})

const WRONG: [string, string | null][] = [
  ['no header', null],
  ['an empty one', ''],
  ['no secret', 'Bearer '],
  ['a variable that was not set', 'Bearer undefined'],
  ['nothing, spelled out', 'Bearer null'],
  ['another scheme', `Basic ${SECRET}`],
  ['no scheme', SECRET],
  ['the secret and more', `Bearer ${SECRET}x`],
  ['a part of the secret', `Bearer ${SECRET.slice(0, -1)}`],
  ['the secret in another case', `Bearer ${SECRET.toUpperCase()}`],
  ['the secret twice', `Bearer ${SECRET}, Bearer ${SECRET}`],
]

describe.each(JOBS)('/api/sync/%s', (job) => {
  test.each(WRONG)('is closed to %s', async (_, authorization) => {
    const { status, body } = await get(job, as(authorization))
    expect([status, body]).toEqual([401, { error: 'Unauthenticated.', code: 'unauthenticated' }])
    expect(await at.rows('select from sync_run')).toEqual([])
  })

  test('is not run by opening its URL in a browser, nor by a secret in the URL', async () => {
    expect((await get(job, as(`Bearer ${SECRET}`, { 'sec-fetch-mode': 'navigate' }))).status).toBe(401)
    expect((await get(`${job}?secret=${SECRET}&authorization=Bearer%20${SECRET}`, as(null))).status).toBe(401)
  })

  test.each(['POST', 'PUT', 'PATCH', 'DELETE'])('has no %s', async (method) => {
    const { status, body, headers } = await new Browser(at).call(method, `/api/sync/${job}`, {}, as(`Bearer ${SECRET}`))
    expect([status, body]).toEqual([405, { error: 'Method not allowed', code: 'method_not_allowed' }])
    expect(headers.get('allow')).toBe('GET, HEAD')
  })

  test('reports if it is running already', async () => {
    await takeLease(at.site, workerScheduler('elsewhere'), job)
    const { status, body } = await get(job)
    expect([status, body]).toEqual([409, { success: false, message: 'Sync already running', skipped: true }])
  })

  test('is logged with who started it, and is not cacheable', async () => {
    const { headers } = await get(job)
    expect(headers.get('cache-control')).toBe('private, no-store')
    expect(await at.rows('select job_name, scheduler from sync_run')).toEqual([{ job_name: job, scheduler: 'route from 192.0.2.1' }])
  })
})

test.each(['volume', 'resolution', 'prices', 'users', 'books'])('%s does nothing without markets and members', async (job) => {
  const { status, body } = await get(job)
  expect([status, body]).toEqual([200, { success: true, scanned: 0, errors: 0, errorDetails: [], timeLimitReached: false }])
})

test('a failed run reports the reason to the scheduler', async () => {
  const { status, body } = await get('events')
  expect([status, body]).toEqual([
    500,
    { success: false, error: expect.stringMatching(/^no answer from http:\/\/127\.0\.0\.1:9\/markets/) },
  ])
})

test('no other job has a route', async () => {
  for (const path of ['', 'withdrawals', 'everything', 'events/', 'EVENTS']) {
    const { status, body } = await get(path)
    expect([path, status, body]).toEqual([path, 404, { error: 'Not found', code: 'not_found' }])
  }
})

test('there were no unexpected failures', () => {
  expect(at.bugs).toEqual([])
})
