import type { Market } from '@augury/wire/market'
import type { EntityManager } from '@mikro-orm/postgresql'
import { expect, test } from 'vitest'
import { workerScheduler } from '../src/authorization/scheduler.ts'
import { type Job, runJob } from '../src/jobs/run-job.ts'
import { booksJob } from '../src/sync/books.ts'
import { chartsJob } from '../src/sync/charts.ts'
import { cleaningJob } from '../src/sync/cleaning.ts'
import { eventsJob } from '../src/sync/events.ts'
import { pricesJob } from '../src/sync/prices.ts'
import { resolutionJob } from '../src/sync/resolution.ts'
import { usersJob } from '../src/sync/users.ts'
import { volumeJob } from '../src/sync/volume.ts'
import { bookOf, volumeRow } from './fake-exchange.ts'
import { listedMarket } from './listed-market.ts'
import { pacedBuilder } from './paced-queries.ts'
import { CREATOR, testPlatform } from './test-platform.ts'

const { platform, clock } = await testPlatform()
const scheduler = workerScheduler('test')
const read = async (sql: string, values: unknown[] = []) => platform.em().execute<Record<string, unknown>[]>(sql, values)

const listed = [
  ...['a', 'b', 'c', 'd'].map((slug) => listedMarket(slug, { eventSlug: 'first' })),
  listedMarket('e', { mode: 'resolved', resolution_price: 1, end_date_iso: '2026-01-01T00:00:00.000Z' }),
]
const bad = { ...listedMarket('f'), end_date_iso: null }
const markets: Market[] = [...listed, bad]

class Killed extends Error {}
let live = () => {}
/** An exchange at every call of which a process can be killed. */
const exchange = async () => ({
  async listMarkets({ query }: { query?: { next_cursor?: string | undefined } } = {}) {
    live()
    const from = Number(query?.next_cursor ?? 0)
    return { limit: 2, count: 2, next_cursor: from + 2 < markets.length ? String(from + 2) : 'LTE=', data: markets.slice(from, from + 2) }
  },
  async getMarket({ params }: { params: { condition_id: string } }) {
    live()
    return markets.find(({ condition_id }) => condition_id === params.condition_id)!
  },
  async getVolumes({ body }: { body: { conditions: { condition_id: string }[] } }) {
    live()
    return body.conditions.map(({ condition_id }) => volumeRow(condition_id, '7') as never)
  },
  async getBooks({ body }: { body: { token_id: string }[] }) {
    live()
    return body.map(({ token_id }) => {
      const market = markets.find(({ tokens }) => tokens.some((token) => token.token_id === token_id))!
      const yes = market.tokens[0]!.token_id === token_id
      return { ...(bookOf(token_id, yes ? '0.4x1' : '0.56x1', yes ? '0.44x1' : '0.6x1') as object), market: market.condition_id } as never
    })
  },
  async getPrices() {
    live()
    return {}
  },
  async getPriceHistories({ body }: { body: { markets: string[] } }) {
    live()
    return { history: Object.fromEntries(body.markets.map((token) => [token, [{ t: Math.floor(clock.now() / 1000), p: 0.42 }]])) }
  },
  async getTraders({ body }: { body: { users: string[] } }) {
    live()
    return body.users.map((user) => ({ user: user as `0x${string}`, volume: '3', trades: 2 }))
  },
})

const TABLES = [
  'sync_run',
  'sync_failure',
  'sync_job',
  'session',
  'users',
  'price_point',
  'price_rollup',
  'event_tag',
  'outcome',
  'market',
  'event',
]

/** Prepares the deployment for a job, with markets if the job needs them. */
async function prepare(known: boolean): Promise<void> {
  await read(TABLES.map((table) => `delete from ${table}`).join(';'))
  clock.advance(60_000)
  const [user] = await read(`insert into users (address, affiliate_code) values ('0x${'a'.repeat(40)}', 'abcdef') returning id`)
  await read(
    `insert into session (token_hash, user_id, created_at, last_seen_at, proven_at, user_agent, client_address)
     values (decode(repeat('00', 32), 'hex'), ?, '2020-01-01', '2020-01-01', '2020-01-01', '', '')`,
    [user!.id],
  )
  if (!known) return
  await runJob(platform, scheduler, eventsJob(exchange, CREATOR))
  await read(
    `update market set is_resolved = false, weight = null, resolution_status = 'pending', updated_at = now() - interval '1 minute' where slug = 'e'`,
  )
  await read(`update event set status = 'archived', resolved_at = null where slug = 'e'`)
  await read('delete from sync_run; delete from sync_failure; delete from sync_job')
}

/** Saves the current state of the deployment, from which every kill starts. */
const save = () =>
  read(TABLES.map((table) => `drop table if exists saved_${table}; create table saved_${table} as table ${table}`).join(';'))
const restore = () =>
  read(
    [
      ...TABLES.map((table) => `delete from ${table}`),
      ...TABLES.toReversed().map((table) => `insert into ${table} (${columns[table]}) select ${columns[table]} from saved_${table}`),
    ].join(';'),
  )
/** The columns of each table that are not generated. */
const columns = Object.fromEntries(
  (
    await read(
      `select table_name, string_agg(quote_ident(column_name), ', ') as names from information_schema.columns
       where table_schema = current_schema() and is_generated = 'NEVER' group by table_name`,
    )
  ).map(({ table_name, names }) => [table_name, names]),
)

/** Everything a job may change, without generated ids and times. */
async function state(): Promise<unknown> {
  const [row] = await read(
    `select jsonb_build_object(${Object.entries(STATE).map(([name, rows]) => `'${name}', (select jsonb_agg(r) from (${rows}) r)`)}) as state`,
  )
  return row!.state
}

const STATE = {
  events: 'select slug, status, volume, volume_24h, liquidity, active_markets_count, total_markets_count from event order by slug',
  markets: `select slug, position, is_active, is_resolved, weight, volume, open_interest, price, best_bid, best_ask, liquidity,
    registered_at is null as unregistered from market order by slug`,
  outcomes: 'select token_id, index from outcome order by token_id',
  points: 'select market_condition_id, price from price_point order by 1',
  rolled: 'select market_condition_id, minutes, price from price_rollup order by 1, 2',
  users: 'select total_volume, total_trades from users',
  sessions: 'select user_agent from session',
  failures: 'select job_name, item, attempts, error from sync_failure order by 1, 2',
  jobs: 'select name, holder, cursor from sync_job',
}

/** Runs a job in a process that is killed at its `n`th statement or call. False if it completed before. */
async function killAt(job: Job, n: number): Promise<boolean> {
  let left = n
  let dead = false
  const gone = new AbortController()
  live = () => {
    dead ||= --left === 0
    if (!dead) return
    gone.abort() // a dead process does not retry
    throw new Killed()
  }
  const mortal = (em: EntityManager): EntityManager =>
    new Proxy(em, {
      get(target, name) {
        const value = Reflect.get(target, name)
        if (typeof value !== 'function') return value
        if (name === 'transactional') {
          return (work: (inner: EntityManager) => Promise<unknown>) => {
            live()
            return target.transactional(async (inner) => {
              const result = await work(mortal(inner))
              live() // before the commit
              return result
            })
          }
        }
        if (name === 'getKysely') return () => pacedBuilder(target.getKysely<unknown>(), () => live())
        return (...values: unknown[]) => {
          if (['execute', 'insert', 'nativeUpdate', 'find', 'findOne', 'flush', 'count'].includes(String(name))) live()
          return value.apply(target, values)
        }
      },
    })
  await runJob({ ...platform, em: () => mortal(platform.em()) }, scheduler, job, { signal: gone.signal }).catch((error) => {
    if (!(error instanceof Killed)) throw error
  })
  live = () => {}
  return dead
}

const jobs: [Job, known: boolean, places: number][] = [
  [eventsJob(exchange, CREATOR), false, 20],
  [resolutionJob(exchange, CREATOR), true, 12],
  [volumeJob(exchange), true, 10],
  [pricesJob(exchange), true, 10],
  [booksJob(exchange), true, 10],
  [chartsJob(exchange), true, 8],
  [usersJob(exchange), true, 8],
  [cleaningJob(), true, 15],
]

test.each(jobs.map(([job, known, places]) => [job.name, job, known, places] as const))(
  '%s, killed anywhere, is taken up by the next run and ends as if nothing had been',
  async (_, job, known, places) => {
    await prepare(known)
    await save()
    await runJob(platform, scheduler, job)
    const whole = await state()
    let place = 0
    for (let dead = true; dead; ) {
      await restore()
      dead = await killAt(job, ++place)
      await read(`update sync_job set heartbeat_at = now() - interval '16 minutes' where holder is not null`)
      expect(await runJob(platform, scheduler, job)).toMatchObject({ success: true })
      expect([place, await state()]).toEqual([place, whole])
    }
    expect(place).toBeGreaterThan(places)
  },
  300_000,
)
