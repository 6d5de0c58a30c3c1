import { pino, stdSerializers } from 'pino'

/** The log of the site: one JSON line per event, errors with their message and stack. */
export const log = pino({ name: 'web', base: { pid: process.pid }, serializers: { error: stdSerializers.err } })
