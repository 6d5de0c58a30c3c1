import type { Site } from '@augury/platform/site'
import type { HttpApp } from '@augury/rest/http'
import { platformApp } from '@augury/rest/platform'
import { log } from './log.ts'

let app: HttpApp | undefined

/** The platform's routes under /api, made at the first call. */
export function api(site: Site): HttpApp {
  app ??= platformApp({ site, onBug: (error, facts) => log.error({ ...facts, error }, 'a route failed') })
  return app
}
