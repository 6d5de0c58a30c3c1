import { performance } from 'node:perf_hooks'
import { chanceLines } from '@augury/platform/events/chance-lines'
import { openPlatform, type Platform } from '@augury/platform/site/platform'
import { withConnection } from '@augury/testing/connection'
import type { Client } from 'pg'
import { median } from '../interleave.ts'
import type { Row } from '../row.ts'
import { p99 } from '../service/http-load.ts'
import { platformScene } from '../service/platform-scene.ts'
import { processorTime } from '../service/processor.ts'

/** An event of the catalogue with as many markets as a chart has lines, and more, and events around it with a history of their own. */
const CHARTED = 'event-1'
const MARKETS = 4
const OTHERS = 4
const MINUTES = 525_600
/** Times that it is asked for. */
const TIMES = 2000

/** The chart of an event as the site asks for it, with nothing kept from before: a line a market, a year of minutes behind each. */
export const yearChart: Row = {
  id: '26',
  work: 'chart of one year in minutes, from the database',
  target: '< 20 ms',
  async measure({ quick }) {
    const scene = await platformScene(quick)
    const minutes = quick ? MINUTES / 20 : MINUTES
    const platform = await openPlatform(scene.databaseUrl)
    const uncached: Platform = Object.assign(Object.create(platform) as Platform, {
      lists: { read: (_key: string, _tags: unknown, make: () => Promise<unknown>) => make() },
    })
    try {
      const points = await withConnection(scene.databaseUrl, (client) => fill(client, minutes))
      const ask = async () => {
        const begun = performance.now()
        const lines = await chanceLines(uncached, { slug: CHARTED, range: 'all' })
        const took = performance.now() - begun
        if (lines.length !== MARKETS || lines.some(({ history }) => history.length < 200))
          throw new Error(`lines of ${lines.map(({ history }) => history.length)} points`)
        return took
      }
      for (let n = 0; n < 200; n++) await ask()
      const before = await used(uncached)
      const took = new Float64Array(TIMES)
      for (let n = 0; n < TIMES; n++) took[n] = await ask()
      const after = await used(uncached)
      const each = {
        program: ((after.program - before.program) * 1000) / TIMES,
        database: ((after.database - before.database) * 1000) / TIMES,
      }
      const worst = p99(took)
      return {
        figures: [
          { name: 'p99', value: worst, unit: 'ms' },
          { name: 'p50', value: median([...took]), unit: 'ms' },
        ],
        met: worst < 20,
        note: `${MARKETS} lines, ${points} points in the table; ${each.program.toFixed(1)} ms of the program's processor time and ${each.database.toFixed(1)} of the database's`,
      }
    } finally {
      await platform.close()
    }
  },
}

/** Gives markets a year of prices that changed in every minute, and the stretches that the job rolls them up to. Returns how many points. */
async function fill(client: Client, minutes: number): Promise<number> {
  // What the foreign keys say is so by construction; asking for every row takes longer than the rest.
  await client.query('set session_replication_role = replica')
  const { rows } = await client.query<{ id: string }>(
    `select condition_id as id from market join event on event.id = event_id
     where event.slug = $1 and position < $2 or event.slug in (select 'event-' || n from generate_series(1001, 1000 + $3::int) n)`,
    [CHARTED, MARKETS, OTHERS],
  )
  const until = new Date(Math.floor(Date.now() / 86_400_000) * 86_400_000)
  for (const { id } of rows) await client.query(POINTS, [id, minutes, until])
  for (const length of [5, 60, 1440]) await client.query(ROLLUPS, [rows.map(({ id }) => id), length])
  await client.query('vacuum analyze price_point, price_rollup')
  await client.query('checkpoint') // what filling left to be written is not what charts wait for
  return rows.length * minutes
}

/** Seconds of processor time of this program and of its connections to the database. */
async function used(platform: Platform): Promise<{ program: number; database: number }> {
  const backends: { pid: number }[] = await platform
    .em()
    .execute(`select pid from pg_stat_activity where datname = current_database() and backend_type = 'client backend'`)
  return { program: processorTime(process.pid).all, database: backends.reduce((sum, { pid }) => sum + processorTime(pid).all, 0) }
}

const POINTS = `
  insert into price_point (market_condition_id, minute, price)
  select $1, $3::timestamptz - n * interval '1 minute', 5000 + hashint4(n) % 4000 from generate_series(1, $2::int) n order by n desc`

/** The last of each stretch, as the job writes it. */
const ROLLUPS = `
  insert into price_rollup (market_condition_id, minutes, start, price)
  select distinct on (market_condition_id, start) market_condition_id, $2::int, start, price
  from price_point cross join lateral (select date_bin($2::int * interval '1 minute', minute, '2000-01-01Z') as start) stretch
  where market_condition_id = any($1)
  order by market_condition_id, start, minute desc`
