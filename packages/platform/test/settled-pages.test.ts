import type { Market } from '@augury/wire/market'
import { beforeEach, expect, test } from 'vitest'
import { workerScheduler } from '../src/authorization/scheduler.ts'
import { runJob } from '../src/jobs/run-job.ts'
import { eventsJob } from '../src/sync/events.ts'
import { SettledPages } from '../src/sync/settled-pages.ts'
import { listedMarket } from './listed-market.ts'
import { CREATOR, testPlatform } from './test-platform.ts'

const STRANGER = '0x00000000000000000000000000000000000000d1'
const DAY = 86_400_000
const { platform, clock } = await testPlatform()
const read = async <T = Record<string, unknown>>(sql: string, values: unknown[] = []): Promise<T[]> => platform.em().execute(sql, values)

/** An exchange that lists two markets a page. */
let listed: Market[] = []
let asked: string[] = []
const exchange = async () => ({
  async listMarkets({ query }: { query?: { next_cursor?: string | undefined } } = {}) {
    const from = Number(query?.next_cursor ?? 0)
    asked.push(String(from))
    const data = structuredClone(listed.slice(from, from + 2))
    return { limit: 2, count: data.length, next_cursor: from + 2 < listed.length ? String(from + 2) : 'LTE=', data }
  },
})
const open = (slug: string, change: Partial<Market> = {}) => listedMarket(slug, change)
const over = (slug: string, change: Partial<Market> = {}) => open(slug, { mode: 'resolved', resolution_price: 0.3333, ...change })

let job = eventsJob(exchange, CREATOR)
/** Runs the job, and returns where the pages began that it read. */
async function round(expected: Record<string, unknown> = { errors: 0 }): Promise<string> {
  asked = []
  expect(await runJob(platform, workerScheduler('test'), job)).toMatchObject({ success: true, ...expected })
  return asked.join(' ')
}
const showCreators = (creators: string[]) =>
  read(
    `insert into settings_version (group_name, number, values, created_at) values ('general', (select count(*) + 1 from settings_version), ?::jsonb, now())`,
    [JSON.stringify({ marketCreators: creators })],
  )

beforeEach(async () => {
  for (const table of ['sync_run', 'sync_failure', 'sync_job', 'settings_version', 'event_tag', 'outcome', 'settlement', 'market', 'event'])
    await read(`delete from ${table}`)
  job = eventsJob(exchange, CREATOR)
})

test('pages of which everything is resolved are not read again, for a day', async () => {
  listed = [over('a'), over('b'), over('c'), over('d'), open('e'), over('f'), over('g'), over('h'), open('i')]
  expect(await round()).toBe('0 2 4 6 8')
  expect(await round()).toBe('4 8')
  listed[4] = over('e')
  listed.push(open('j'), open('k'))
  expect(await round({ stored: 2, errors: 0 })).toBe('4 8 10')
  expect(await round()).toBe('8 10')
  clock.advance(DAY)
  expect(await round()).toBe('0 2 4 6 8 10')
})

test('markets of others matter once they are shown', async () => {
  listed = [open('a', { creator: STRANGER }), over('b'), open('c')]
  await round()
  expect(await round()).toBe('2')
  await showCreators([CREATOR, STRANGER.toLowerCase()])
  expect(await round({ stored: 1, errors: 0 })).toBe('0 2')
})

test('a page with a market that failed, or that pays something else here, is read again', async () => {
  listed = [over('a', { end_date_iso: null }), over('b'), over('c'), over('d'), open('e')]
  expect(await round({ errors: 2 })).toBe('0 2 4')
  expect(await round({ errors: 0 })).toBe('0 4') // the failure waits for its time
  await read(`update market set weight = 10000 where slug = 'c'`)
  job = eventsJob(exchange, CREATOR)
  await round({ errors: 1 })
  expect(await round()).toBe('0 2 4')
})

test('a run that ends in the middle goes on where it ended', async () => {
  listed = Array.from({ length: 504 }, (_, n) => over(`m-${n}`, { creator: STRANGER }))
  clock.advance(DAY)
  const until = clock.now()
  const slow = async () => {
    const { listMarkets } = await exchange()
    return {
      async listMarkets(question: Parameters<typeof listMarkets>[0]) {
        clock.advance(asked.length === 249 ? 300_000 : 0)
        return listMarkets(question)
      },
    }
  }
  job = eventsJob(slow, CREATOR)
  expect((await round({ timeLimitReached: true })).split(' ').at(-1)).toBe('498')
  expect(await round({ timeLimitReached: false })).toBe('500 502')
  expect(await round()).toBe('502')
  expect(clock.now()).toBe(until + 300_000)
})

test('stretches of pages are held as one', () => {
  const pages = new SettledPages()
  pages.begin('', new Date(0))
  pages.settle({ cursor: null, next: 'b' })
  pages.settle({ cursor: 'b', next: 'c' })
  pages.settle({ cursor: 'd', next: 'e' })
  pages.settle({ cursor: 'z', next: null })
  expect([pages.after(null), pages.after('b'), pages.after('d'), pages.after('z')]).toEqual(['c', 'b', 'e', 'z'])
})
