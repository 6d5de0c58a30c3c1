import type { FakeClock } from '@augury/testing/clock'
import { workerScheduler } from '../src/authorization/scheduler.ts'
import { type Job, runJob, type SyncResult } from '../src/jobs/run-job.ts'
import type { Mark } from '../src/prices/choose-prices.ts'
import { marksJob } from '../src/prices/marks-job.ts'
import type { Oracle } from '../src/prices/oracle.ts'
import { simulatedOracle } from '../src/prices/simulated-oracle.ts'
import { settlementJob } from '../src/resolution/settle.ts'
import { addSeries, type SeriesTerms } from '../src/series/manage-series.ts'
import { seriesJob } from '../src/series/series-job.ts'
import type { Platform } from '../src/site/platform.ts'
import { LedgerExchange } from './ledger-exchange.ts'
import { CREATOR, testPlatform } from './test-platform.ts'

/** Thrown when a process is killed. */
export class Killed extends Error {}

/** Series over a database and a ledger, with a clock that a test moves. */
export interface SeriesWorld {
  platform: Platform
  clock: FakeClock
  exchange: LedgerExchange
  /** Marks of the first source, which a test may change. */
  oracle: { settled: (marks: Mark[]) => Mark[] }
  jobs: readonly Job[]
  rows<T>(sql: string, values?: unknown[]): Promise<T[]>
  run(job: Job): Promise<SyncResult>
  /** Runs every job once. */
  tick(): Promise<void>
  /** Runs a job in a process that is killed at its `n`th query or call of the exchange. False if it completed before. */
  killAt(job: Job, n: number): Promise<boolean>
}

/** Two members, and the account on the other side. */
export const MEMBERS = [`0x${'a1'.repeat(20)}`, `0x${'a2'.repeat(20)}`] as const
export const STRANGER = `0x${'b1'.repeat(20)}`

/** Opens a world with these series, which quote Bitcoin. */
export async function seriesWorld(
  series: readonly Pick<SeriesTerms, 'slug' | 'interval' | 'settlementSeconds' | 'disputeSeconds' | 'ahead'>[],
): Promise<SeriesWorld> {
  const { platform, clock } = await testPlatform()
  const exchange = new LedgerExchange(CREATOR)
  const bend: SeriesWorld['oracle'] = { settled: (marks) => marks }
  const truth = simulatedOracle('Feed A', { differs: false })
  const oracle_a: Oracle = { ...truth, settled: async (...asked) => bend.settled(await truth.settled(...asked)) }
  const jobs = [
    marksJob({ oracle_a, oracle_b: simulatedOracle('Feed B', { differs: true }) }),
    seriesJob(exchange.register, CREATOR),
    settlementJob(async () => exchange.client, CREATOR),
  ]
  const rows = async <T>(sql: string, values: unknown[] = []): Promise<T[]> => platform.em().execute(sql, values)
  for (const terms of series) {
    const bitcoin = {
      instrument: 'BTC/USD',
      source: 'oracle_a',
      displayName: 'Bitcoin',
      symbolA: 'BTC',
      symbolB: 'BTC',
      recurring: true,
    } as const
    await addSeries(platform.em(), { ...bitcoin, ...terms })
  }
  for (const [index, address] of MEMBERS.entries()) {
    await rows('insert into users (address, affiliate_code) values (?, ?)', [address, `member0${index}`])
  }
  const scheduler = workerScheduler('test')

  async function killAt(job: Job, n: number): Promise<boolean> {
    let left = n
    let dead = false
    const gone = new AbortController()
    const live = () => {
      dead ||= --left === 0
      if (!dead) return
      gone.abort() // a dead process does not retry
      throw new Killed()
    }
    exchange.before = live
    const em = () => {
      live()
      return platform.em()
    }
    await runJob({ ...platform, em }, scheduler, job, { signal: gone.signal }).catch((error) => {
      if (!(error instanceof Killed)) throw error
    })
    exchange.before = () => {}
    await rows(`update sync_job set heartbeat_at = now() - interval '16 minutes' where holder is not null`)
    return dead
  }

  return {
    ...{ platform, clock, exchange, oracle: bend, jobs, rows, killAt },
    run: (job) => runJob(platform, scheduler, job),
    async tick() {
      for (const job of jobs) await runJob(platform, scheduler, job)
    },
  }
}
