import type { fc } from '@augury/testing/properties'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Site } from '../src/site/site.ts'

/** The same site, with every query scheduled by the scheduler, which tries different orders. Running queries may wait for locks. */
function paced(site: Site, scheduler: fc.Scheduler): Site {
  const pace = (em: EntityManager): EntityManager =>
    new Proxy(em, {
      get(target, key) {
        if (key === 'transactional') return (work: (em: EntityManager) => unknown) => target.transactional((inner) => work(pace(inner)))
        const value = Reflect.get(target, key)
        if (typeof value !== 'function') return value
        if (key !== 'execute') return value.bind(target)
        return async (...call: unknown[]) => {
          await scheduler.schedule(Promise.resolve(), String(call[0]))
          return value.apply(target, call)
        }
      },
    })
  return { ...site, em: () => pace(site.em()) }
}

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
