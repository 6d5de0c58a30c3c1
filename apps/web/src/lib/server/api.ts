import type { Site } from '@augury/platform/site/site'
import { type HttpApp, httpApp } from '@augury/rest/http'
import { routes } from './routes.ts'

let app: HttpApp | undefined

/** The platform's routes under /api, created at the first call. */
export function api(site: Site): HttpApp {
  app ??= httpApp(routes(site))
  return app
}
