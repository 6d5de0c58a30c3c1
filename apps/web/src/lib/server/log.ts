import { pino } from 'pino'

/** The log of the site: one JSON line per event. */
export const log = pino({ name: 'web', base: { pid: process.pid } })
