import type { fc } from '@augury/testing/properties'
import type { Site } from '../src/site/site.ts'
import { pacedManager } from './paced-queries.ts'

/** The same site, with every query scheduled by the scheduler, which tries different orders. Running queries may wait for locks. */
const paced = (site: Site, scheduler: fc.Scheduler): Site => ({
  ...site,
  em: () => pacedManager(site.em(), (sql) => scheduler.schedule(Promise.resolve(), sql)),
})

/** Runs calls on a site in an order chosen by the scheduler. Returns the code of each, or `passed`. */
export const races =
  (site: Site) =>
  (scheduler: fc.Scheduler, calls: ((site: Site) => Promise<unknown>)[]): Promise<string[]> => {
    const raced = paced(site, scheduler)
    return scheduler.waitFor(Promise.all(calls.map((call) => call(raced).then(() => 'passed', codeOf))))
  }

/** The code of an error; rethrows errors without one. */
export const codeOf = (error: { code?: string }) => {
  if (!error.code) throw error
  return error.code
}
