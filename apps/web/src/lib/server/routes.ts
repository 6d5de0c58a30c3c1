import type { Site } from '@augury/platform/site/site'
import type { Routes } from '@augury/rest/http'
import { platformRoutes } from '@augury/rest/platform'
import { log, logAccess } from './log.ts'

let made: Routes | undefined

/** The platform's routes, created at the first call and shared by all entry points. */
export function routes(site: Site): Routes {
  made ??= platformRoutes({
    site,
    onBug: (error, facts) => log.error({ ...facts, error }, 'a route failed'),
    onAccess: logAccess,
  })
  return made
}
