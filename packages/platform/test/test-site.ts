import { migratePlatform } from '@augury/domain/platform/database'
import { type FakeClock, fakeClock } from '@augury/testing/clock'
import { migratedDatabase } from '@augury/testing/database'
import { afterAll } from 'vitest'
import { httpVisit, type Visit } from '../src/authorization/visit.ts'
import { memoryBudgets } from '../src/budgets/budgets.ts'
import { openSite, type Site, type SiteSettings } from '../src/site/site.ts'
import { siteSettings } from './site-settings.ts'

/**
 * A site on a new database with a fake clock at 2026-11-20; closed after the tests of the file. `budgetFactor` 1 means the real rate limits.
 */
export async function testSite(settings: Partial<SiteSettings> = {}, budgetFactor = 1000): Promise<{ site: Site; clock: FakeClock }> {
  const clock = fakeClock(Date.UTC(2026, 10, 20, 12))
  const databaseUrl = await migratedDatabase('platform', migratePlatform)
  const options = { now: () => new Date(clock.now()), budgets: memoryBudgets(budgetFactor) }
  const site = await openSite(siteSettings(databaseUrl, settings), options)
  afterAll(() => site.close())
  return { site, clock }
}

/** A visit of a browser with these cookies, by full name. */
export const visitWith = (cookies: Record<string, string> = {}): Visit => {
  const cookie = Object.entries(cookies)
    .map(([name, value]) => `${name}=${value}`)
    .join('; ')
  return httpVisit({ method: 'POST', header: (name) => (name === 'cookie' ? cookie : undefined), clientAddress: '192.0.2.1' }, true)
}

/** The cookies set by a visit, by full name. */
export const cookiesOf = (visit: Visit): Record<string, string> =>
  Object.fromEntries(
    [visit.answerHeaders()['Set-Cookie'] ?? []].flat().map((line) => /^([^=]+)=([^;]*)/.exec(line)!.slice(1) as [string, string]),
  )
