import type { Site, SiteSettings } from '@augury/platform/site/site'
import type { FakeClock } from '@augury/testing/clock'
import { eventually } from '@augury/testing/eventually'
import { expect } from 'vitest'
import { testSite as openTestSite } from '../../platform/test/test-site.ts'
import type { HttpApp } from '../src/http.ts'
import { platformApp } from '../src/platform.ts'

/** A deployment with its own database, called as by its web server. */
export interface TestSite {
  site: Site
  app: HttpApp
  clock: FakeClock
  /** Unexpected errors. */
  bugs: unknown[]
  /** Runs a query on its database. */
  rows(sql: string, values?: unknown[]): Promise<Record<string, unknown>[]>
}

/** Opens a site whose clock is at 2026-11-20; it is closed after the tests of the file. `budgetFactor` 1 means the real rate limits. */
export async function testSite(settings: Partial<SiteSettings> = {}, budgetFactor = 1000): Promise<TestSite> {
  const { site, clock } = await openTestSite(settings, budgetFactor)
  const bugs: unknown[] = []
  const app = platformApp({ site, onBug: (error) => void bugs.push(error) })
  return { site, app, clock, bugs, rows: (sql, values = []) => site.em().execute(sql, values) }
}

const LOCKED = `
  select from pg_locks
  where not granted and pid in (select pid from pg_stat_activity where datname = current_database())`

/** Makes a call while another transaction has run a query and not committed it yet; that one commits once the call waits for its locks. */
export async function calledDuring<Answer>(
  { site, rows }: TestSite,
  [sql, values]: [sql: string, values: unknown[]],
  call: () => Promise<Answer>,
): Promise<Answer> {
  const { answer } = await site.em().transactional(async (em) => {
    await em.execute(sql, values)
    const answer = call()
    await eventually(async () => expect(await rows(LOCKED)).toHaveLength(1))
    return { answer } // not awaited: it waits for this commit
  })
  return answer
}
