import { migratePlatform } from '@augury/domain/platform/database'
import { migratedDatabase } from '@augury/testing/database'
import { eventually } from '@augury/testing/eventually'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { exchangeThat, startWorker } from './workers.ts'

const MARKETS = 1200 // three questions about prices
const LIMIT = 150_000 // two programs begin, one after the other
const page = { limit: 100, count: 0, next_cursor: 'LTE=', data: [] }

/** A deployment with markets, and a connection to look at it. */
async function deployment() {
  const databaseUrl = await migratedDatabase('platform', migratePlatform)
  const client = new pg.Client(databaseUrl)
  await client.connect()
  onTestFinished(() => client.end())
  await client.query(`insert into event (slug, title, creator, status) values ('crowd', 'A crowd', '0x${'c1'.repeat(20)}', 'active')`)
  await client.query(`
    insert into market (condition_id, event_id, position, slug, question_id, title, short_title, question, resolver, end_time, grid, min_lots, fee_bps, registered_at, is_active)
    select '0x' || lpad(n::text, 64, '0'), (select id from event), n, 'm-' || n, '0x' || lpad(n::text, 64, '0'), 'M', 'M', 'M',
      '0x${'c1'.repeat(20)}', '2099-01-01', 100, 500, 0, now(), true from generate_series(1, ${MARKETS}) n`)
  await client.query(`
    insert into outcome (token_id, market_condition_id, index, text)
    select (1000000 * (side + 1) + n)::text, '0x' || lpad(n::text, 64, '0'), side, 'x' from generate_series(1, ${MARKETS}) n cross join generate_series(0, 1) side`)
  return { databaseUrl, rows: async (sql: string) => (await client.query(sql)).rows }
}

const bookOf = (asset_id: string) => ({
  ...{ market: '0x', asset_id, timestamp: '1', hash: '', bids: [{ price: '0.4', size: '1' }], asks: [] },
  ...{ min_order_size: '5', tick_size: '0.01', neg_risk: false, last_trade_price: '' },
})

/** An exchange that counts for which Yes tokens prices are asked; `gate` holds the first answer back. */
async function countingExchange(gate: () => Promise<void>) {
  const asked: string[] = []
  const url = await exchangeThat(async (path, body) => {
    if (path === '/markets') return page
    if (path !== '/books') return []
    const tokens = (body as { token_id: string }[]).map(({ token_id }) => token_id)
    if (tokens.some((token) => token.startsWith('2'))) return [] // the job that compares both books
    asked.push(...tokens)
    await gate()
    return tokens.map(bookOf)
  })
  return { url, asked }
}

test(
  'two real workers at once never do a thing twice',
  async () => {
    const { databaseUrl, rows } = await deployment()
    const gate = Promise.withResolvers<void>()
    const { url, asked } = await countingExchange(() => gate.promise)
    const workers = await Promise.all([startWorker(databaseUrl, url), startWorker(databaseUrl, url)])
    const prices = () => Promise.all(workers.map(async ({ health }) => (await health())[1].jobs.prices?.result))
    await eventually(async () => {
      expect(await prices()).toContainEqual({ success: false, message: 'Sync already running', skipped: true })
    })
    gate.resolve()
    await eventually(async () => {
      expect(await rows(`select from sync_run where job_name = 'prices' and state = 'finished'`)).not.toEqual([])
    })
    expect(new Set(asked.slice(0, MARKETS)).size).toBe(MARKETS)
    const runs = await rows(`select counters ->> 'updated' as updated from sync_run where job_name = 'prices' order by started_at`)
    expect(runs[0]).toEqual({ updated: String(MARKETS) })
    const together = 'select from sync_run a join sync_run b using (job_name) where a.id < b.id and b.started_at < a.finished_at'
    expect(await rows(together)).toEqual([])
  },
  LIMIT,
)

test(
  'what a killed worker began is gone on with at once by the next one of the machine',
  async () => {
    const { databaseUrl, rows } = await deployment()
    const second = Promise.withResolvers<void>()
    let answers = 0
    const never = new Promise<void>(() => {})
    const first = await countingExchange(async () => {
      if (++answers < 2) return
      second.resolve()
      await never
    })
    const { worker } = await startWorker(databaseUrl, first.url)
    await second.promise
    await worker.stop('SIGKILL')
    expect(await rows(`select count(*)::int as done from market where best_bid is not null`)).toEqual([{ done: 500 }])
    expect(await rows('select from sync_job where holder is not null')).not.toEqual([])

    const rest = await countingExchange(async () => {})
    const { health } = await startWorker(databaseUrl, rest.url)
    await eventually(async () => {
      expect((await health())[1].jobs.prices).toMatchObject({ result: { success: true, scanned: MARKETS - 500 } })
    })
    expect(new Set(rest.asked).size).toBe(MARKETS - 500)
    expect(await rows(`select count(*)::int as done from market where best_bid is not null`)).toEqual([{ done: MARKETS }])
    expect(await rows(`select state from sync_run where job_name = 'prices' order by started_at`)).toMatchObject([
      { state: 'abandoned' },
      { state: 'finished' },
    ])
  },
  LIMIT,
)
