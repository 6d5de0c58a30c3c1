import { NoAnswerError, RefusedError } from '@augury/client/answer'
import { beforeEach, expect, test } from 'vitest'
import { workerScheduler } from '../src/authorization/scheduler.ts'
import { runJob } from '../src/jobs/run-job.ts'
import { ordersJob } from '../src/sync/orders.ts'
import { testPlatform } from './test-platform.ts'

const { platform } = await testPlatform()
const rows = async <T>(sql: string, values: unknown[] = []): Promise<T[]> => platform.em().execute(sql, values)
const MEMBERS = 250
await rows(
  `with member as (
     insert into users (address, affiliate_code) select '0x' || lpad(n::text, 40, '0'), 'member' || n from generate_series(1, ?) n returning id, address
   )
   insert into trading_credential (user_id, set, address, key, secret, passphrase, updated_at)
   select id, 'clob', address, 'key', 'v1.k.x', 'v1.k.x', now() from member`,
  [MEMBERS],
)
const [oldest] = await rows<{ address: string }>('select address from users order by id')

/** Who was asked about and from where, and the pages of the oldest member; `fails` throws at the nth question. */
let asked: { account: string; after: number }[] = []
let fails = (_nth: number): Error | null => null
let pages = 1
let statements = 0
const exchange = {
  async listEvents({ query: { account, after } }: { query: { account: string; after: number } }) {
    asked.push({ account, after })
    const failure = fails(asked.length)
    if (failure) throw failure
    const seq = account === oldest!.address ? Math.min(after + 7, 7 * pages) : 7 * pages
    return { data: [], seq, epoch: 1, after_epoch: 1, next_cursor: seq === 7 * pages ? 'LTE=' : 'more' }
  },
}
const counted = {
  ...platform,
  em() {
    statements++
    return platform.em()
  },
}
const run = () =>
  runJob(
    counted,
    workerScheduler('test'),
    ordersJob(async () => exchange as never),
  )
const stored = async () => (await rows('select from notice_cursor where seq = ?', [7 * pages])).length

beforeEach(async () => {
  await rows('delete from notice_cursor; delete from sync_failure; delete from sync_run; delete from sync_job')
  asked = []
  fails = () => null
  pages = 1
  statements = 0
})

test('how far members were told is stored for many of them at once', async () => {
  expect(await run()).toMatchObject({ success: true, errors: 0 })
  expect([asked.length, await stored()]).toEqual([MEMBERS, MEMBERS])
  expect(statements).toBeLessThan(20)
})

test('an exchange that goes away is asked on from where it went', async () => {
  fails = (nth) => (nth === 31 ? new NoAnswerError('away') : null)
  expect(await run()).toMatchObject({ success: false })
  expect(await stored()).toBe(30)
  fails = () => null
  expect(await run()).toMatchObject({ success: true })
  expect([asked.length, await stored()]).toEqual([MEMBERS + 1, MEMBERS])
})

test('a member about whom the exchange refuses to answer does not delay the others, and is retried', async () => {
  fails = (nth) => (nth === 2 ? new RefusedError(500, { error: 'no' }, undefined) : null)
  expect(await run()).toMatchObject({ success: true, errors: 1 })
  expect(await stored()).toBe(MEMBERS - 1)
  expect(await rows('select from sync_failure')).toHaveLength(1)
  expect(await run()).toMatchObject({ success: true, errors: 0 })
  expect(await stored()).toBe(MEMBERS)
  expect(await rows('select from sync_failure')).toEqual([])
})

test('of a member with several pages every one is read, and those before a failure are not read again', async () => {
  pages = 3
  fails = (nth) => (nth === 3 ? new NoAnswerError('away') : null)
  expect(await run()).toMatchObject({ success: false })
  fails = () => null
  expect(await run()).toMatchObject({ success: true })
  expect(asked.filter(({ account }) => account === oldest!.address).map(({ after }) => after)).toEqual([0, 7, 14, 14])
  expect(await stored()).toBe(MEMBERS)
})
