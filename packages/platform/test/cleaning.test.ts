import { expect, test } from 'vitest'
import { workerScheduler } from '../src/authorization/scheduler.ts'
import { runJob } from '../src/jobs/run-job.ts'
import { cleaningJob } from '../src/sync/cleaning.ts'
import { testPlatform } from './test-platform.ts'

const { platform, clock } = await testPlatform()
const read = async <T = Record<string, unknown>>(sql: string, values: unknown[] = []): Promise<T[]> => platform.em().execute(sql, values)
const clean = () => runJob(platform, workerScheduler('test'), cleaningJob())
const HOUR = 3_600_000
const DAY = 24 * HOUR
const ago = (milliseconds: number) => new Date(clock.now() - milliseconds)

const [user] = await read<{ id: string }>(
  `insert into users (address, affiliate_code, created_at, updated_at) values ('0x${'a'.repeat(40)}', 'abcdef', now(), now()) returning id`,
)
let bytes = 0
const hash = () => Buffer.alloc(32, ++bytes)
const session = (created: number, seen: number) =>
  read(
    `insert into session (token_hash, user_id, created_at, last_seen_at, proven_at, user_agent, client_address)
     values (?, ?, ?, ?, ?, '', '')`,
    [hash(), user!.id, ago(created), ago(seen), ago(created)],
  )
const count = async (table: string) => (await read<{ count: number }>(`select count(*)::int as count from ${table}`))[0]!.count

test('sessions are deleted after they ended, and not before', async () => {
  await session(30 * DAY, DAY)
  await session(8 * DAY, 7 * DAY)
  await session(30 * DAY - 1, 7 * DAY - 1)
  expect(await clean()).toMatchObject({ success: true, session: 2 })
  expect(await read('select last_seen_at from session')).toHaveLength(1)
})

test('nonces, pending sign-ins and devices are deleted when they are no longer valid', async () => {
  const nonce = (letter: string, expired: number) =>
    read('insert into sign_in_nonce (nonce, browser_hash, expires_at) values (?, ?, ?)', [letter.repeat(32), hash(), ago(expired)])
  for (const [letter, expired] of [
    ['a', HOUR + 1],
    ['b', HOUR - 1],
    ['c', -300_000],
  ] as const)
    await nonce(letter, expired)
  for (const expired of [HOUR + 1, HOUR - 1])
    await read('insert into pending_second_factor (token_hash, user_id, expires_at) values (?, ?, ?)', [hash(), user!.id, ago(expired)])
  for (const [slot, created] of [
    [0, 400 * DAY + 1],
    [1, 400 * DAY - 1],
  ] as const)
    await read('insert into trading_context (user_id, slot, context_hash, created_at) values (?, ?, ?, ?)', [
      user!.id,
      slot,
      hash(),
      ago(created),
    ])
  expect(await clean()).toMatchObject({ sign_in_nonce: 1, pending_second_factor: 1, trading_context: 1 })
  expect([await count('sign_in_nonce'), await count('pending_second_factor'), await count('trading_context')]).toEqual([2, 1, 1])
})

test('successful runs are deleted after two days, others after thirty, and the last successful one of a job never', async () => {
  const run = (job: string, state: string, started: number, errors = 0) =>
    read(
      `with job as (insert into sync_job (name) values (?) on conflict do nothing)
       insert into sync_run (job_name, scheduler, state, started_at, finished_at, errors) values (?, ?, ?, ?, ?, ?)`,
      [job, job, `${state} ${started / DAY} ${errors}`, state, ago(started), ago(started), errors],
    )
  await read(`insert into sync_job (name) values ('old'), ('new')`)
  await run('old', 'finished', 50 * DAY)
  await run('old', 'finished', 40 * DAY)
  await run('old', 'failed', 39 * DAY)
  await run('new', 'finished', 3 * DAY)
  await run('new', 'finished', 3 * DAY, 1)
  await run('new', 'failed', 3 * DAY)
  await run('new', 'failed', 31 * DAY)
  await run('new', 'finished', DAY)
  await run('new', 'finished', HOUR)
  expect(await clean()).toMatchObject({ sync_run: 3 })
  expect(
    (await read<{ scheduler: string }>(`select scheduler from sync_run where job_name <> 'cleaning' order by started_at, scheduler`)).map(
      ({ scheduler }) => scheduler,
    ),
  ).toEqual(['finished 40 0', 'failed 39 0', 'failed 3 0', 'finished 3 1', 'finished 1 0', `finished ${1 / 24} 0`])
})

test("a member's latest thousand notifications are kept", async () => {
  const tell = (many: number, member: string) =>
    read(
      `insert into notification (user_id, source, category, title, description, created_at)
       select ?, 'n' || n, 'general', 'x', '', ?::timestamptz - n * interval '1 minute' from generate_series(1, ?) n`,
      [member, ago(0), many],
    )
  const [other] = await read<{ id: string }>(
    `insert into users (address, affiliate_code, created_at, updated_at) values ('0x${'b'.repeat(40)}', 'bcdefg', now(), now()) returning id`,
  )
  await tell(1003, user!.id)
  await tell(1000, other!.id)
  await read(
    `insert into notification (user_id, source, category, title, description, created_at) values (?, 'n0', 'system', 'x', '', ?)`,
    [user!.id, ago(DAY)], // older than all of them: notifications about the account are kept
  )
  expect(await clean()).toMatchObject({ notification: 3 })
  expect(
    await read(
      `select max(n)::int as oldest, count(*)::int as left_ from (select substr(source, 2)::int as n from notification where user_id = ?) told`,
      [user!.id],
    ),
  ).toEqual([{ oldest: 1000, left_: 1001 }])
  expect(await clean()).not.toHaveProperty('notification')
})

test('only members who were notified since are looked at, however many others there are', async () => {
  const [quiet] = await read<{ id: string }>(
    `insert into users (address, affiliate_code, created_at, updated_at) values ('0x${'c'.repeat(40)}', 'cdefgh', now(), now()) returning id`,
  )
  const tell = (source: string, many: number, written: string) =>
    read(
      `insert into notification (id, user_id, source, category, title, description, created_at)
       select uuidv7(?::interval), ?, ? || n, 'general', 'x', '', ?::timestamptz - n * interval '1 minute' from generate_series(1, ?) n`,
      [written, quiet!.id, source, ago(0), many],
    )
  await clean()
  await tell('before', 1003, '-1 hour')
  expect(await clean()).not.toHaveProperty('notification')
  await tell('after', 1, '0')
  expect(await clean()).toMatchObject({ notification: 4, errors: 0 })
})

test('many rows are deleted in several steps', async () => {
  await read(
    `insert into sign_in_nonce (nonce, browser_hash, expires_at)
     select lpad(value::text, 32, 'n'), decode(repeat('00', 32), 'hex'), ?::timestamptz from generate_series(1, 4500) value`,
    [ago(DAY)],
  )
  expect(await clean()).toMatchObject({ sign_in_nonce: 4500, timeLimitReached: false })
})
