import type { Access } from '@augury/platform/identity/access-log'
import { loggedError } from '@augury/settings/logged-error'
import { pino } from 'pino'

/** Log of the site: one JSON line per event. Its level is that of the settings once they are read. */
export const log = pino({ name: 'web', base: { pid: process.pid }, serializers: { error: loggedError } })

/** Logs granted and refused access; failures of external services as warnings. */
export const logAccess = (access: Access): void =>
  access.reason === undefined ? log.info(access, 'access') : log.warn(access, 'a service outside failed')
