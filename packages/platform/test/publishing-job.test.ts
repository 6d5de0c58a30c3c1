import { NoAnswerError } from '@augury/client/answer'
import { draftContent } from '@augury/wire/platform/draft'
import { beforeEach, expect, test } from 'vitest'
import { workerScheduler } from '../src/authorization/scheduler.ts'
import { publishingJob } from '../src/creation/publishing-job.ts'
import { runJob } from '../src/jobs/run-job.ts'
import { CREATOR, testPlatform } from './test-platform.ts'

const { platform, clock } = await testPlatform()
const rows = async <T>(sql: string, values: unknown[] = []): Promise<T[]> => platform.em().execute(sql, values)
await rows(`insert into tag (slug, name, is_main_category) values ('weather', 'Weather', true)`)

/** The exchange does not answer: events are made, and registered by a later run. */
const job = publishingJob(() => Promise.reject(new NoAnswerError('away')), CREATOR)
const run = () => runJob(platform, workerScheduler('test'), job)
const events = async () => (await rows<{ slug: string }>('select slug from event order by slug')).map(({ slug }) => slug)
const hours = (n: number) => new Date(clock.now() + n * 3_600_000)

const draft = {
  ...{
    title: 'Will it rain on {date}?',
    slug: 'rain-{date}',
    mode: 'binary',
    question: 'Will it rain?',
    outcomes: ['Yes', 'No'],
    options: [],
  },
  ...{ rules: 'It rains when the station of the city measures more than a millimetre on the day, by 23:59 UTC.', tags: ['weather'] },
}
const add = (slug: string, recurrence: string, next: Date) =>
  rows(
    `insert into event_series (slug, content, recurrence, next_end, created_at, updated_at)
     values (?, jsonb_set(?::jsonb, '{slug}', to_jsonb(? || '-{date}')), ?, ?, now(), now())`,
    [slug, JSON.stringify(draftContent.parse({ ...draft, recurrence, end_date: next.toISOString() })), slug, recurrence, next],
  )

beforeEach(() => rows('truncate event_series, event cascade'))

test('what is due is made, however many others end before it and are not', async () => {
  await add('monthly', 'monthly', hours(20 * 24))
  await rows(
    `insert into event_series (slug, content, recurrence, next_end, created_at, updated_at)
     select 'daily-' || n, content, 'daily', ?, now(), now() from event_series cross join generate_series(1, 500) n`,
    [hours(36)],
  )
  await run()
  expect(await events()).toEqual(['monthly-2026-12-10'])
})

test.each([
  ['daily', 23, 25],
  ['weekly', 6 * 24, 8 * 24],
  ['monthly', 29 * 24, 32 * 24],
])('what comes %s is made a time before it ends', async (recurrence, due, early) => {
  await add('due', recurrence, hours(due))
  await add('early', recurrence, hours(early))
  await run()
  expect(await events()).toEqual([`due-${hours(due).toISOString().slice(0, 10)}`])
})

test('markets that the exchange lacks are registered later, also where no next one is due', async () => {
  await add('rain', 'daily', hours(20))
  const later = await run()
  expect(later).toMatchObject({ success: true, errors: 1, errorDetails: [{ context: 'series rain', error: 'away' }] })
  expect(await run()).toMatchObject({ errors: 1, errorDetails: [{ context: 'series rain' }] })
  await rows('update market set registered_at = now()')
  expect(await run()).toMatchObject({ errors: 0 })
})
