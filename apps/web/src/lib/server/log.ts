import type { Access } from '@augury/platform/identity/access-log'
import { pino, stdSerializers } from 'pino'

/** Log of the site: one JSON line per event, errors with message and stack. */
export const log = pino({ name: 'web', base: { pid: process.pid }, serializers: { error: stdSerializers.err } })

/** Logs granted and refused access; failures of external services as warnings. */
export const logAccess = (access: Access): void =>
  access.reason === undefined ? log.info(access, 'access') : log.warn(access, 'a service outside failed')
