import type { Access } from '@augury/platform/identity/access-log'
import { pino, stdSerializers } from 'pino'

/** The log of the site: one JSON line per event, errors with their message and stack. */
export const log = pino({ name: 'web', base: { pid: process.pid }, serializers: { error: stdSerializers.err } })

/** Writes down who came in and who was kept out; of a service outside that was of no use an operator is warned. */
export const logAccess = (access: Access): void =>
  access.reason === undefined ? log.info(access, 'access') : log.warn(access, 'a service outside failed')
