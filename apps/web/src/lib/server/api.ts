import { anonymous } from '@augury/platform/identity/viewer'
import type { Platform } from '@augury/platform/platform'
import type { HttpApp } from '@augury/rest/http'
import { platformApp } from '@augury/rest/platform'
import { log } from './log.ts'

let app: HttpApp | undefined

/** The platform's routes under /api, made at the first call. */
export function api(platform: Platform): HttpApp {
  app ??= platformApp({
    platform,
    viewerOf: async () => anonymous,
    onBug: (error, facts) => log.error({ ...facts, error }, 'a route failed'),
  })
  return app
}
