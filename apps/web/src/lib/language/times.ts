import { m } from '#lib/paraglide/messages.js'
import { leftToRight } from './numbers.ts'
import { perLocale } from './per-locale.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const DATE = { day: 'numeric', month: 'short', year: 'numeric' } as const
const TIME = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
const DATE_TIME = { ...DATE, ...TIME } as const
const date = perLocale((tag) => new Intl.DateTimeFormat(tag, { ...DATE, timeZone: 'UTC' }))
const dateTime = perLocale((tag) => new Intl.DateTimeFormat(tag, { ...DATE_TIME, timeZone: 'UTC' }))
const time = perLocale((tag) => new Intl.DateTimeFormat(tag, { ...TIME, timeZone: 'UTC' }))
const localDate = perLocale((tag) => new Intl.DateTimeFormat(tag, DATE))
const localDateTime = perLocale((tag) => new Intl.DateTimeFormat(tag, { ...DATE_TIME, timeZoneName: 'short' }))
const localTime = perLocale((tag) => new Intl.DateTimeFormat(tag, { ...TIME, timeZoneName: 'short' }))

/** A date: "May 1, 2026". In UTC, so that server and browser render the same. */
export const day = (at: number): string => date().format(at)

/** A time of day without its zone: "12:00". */
export const hour = (at: number): string => time().format(at)

/** A time of day with its zone: "12:00 UTC". */
export const clock = (at: number): string => leftToRight(`${hour(at)} UTC`)

/** A moment with its zone: "May 1, 2026, 12:00 UTC". */
export const moment = (at: number): string => `${dateTime().format(at)} UTC`

/** The same in the zone of the reader, with its name: "May 1, 2026, 14:00 GMT+2". In a browser that is alive only. */
export const localMoment = (at: number): string => localDateTime().format(at)

/** A time of day in the zone of the reader, with its name: "14:00 GMT+2". */
export const localClock = (at: number): string => leftToRight(localTime().format(at))

/** A date in the zone of the reader: "May 1, 2026". */
export const localDay = (at: number): string => localDate().format(at)

/** Relative time within a day, then the date that `dayOf` writes: "now", "12 s ago", "3 min ago", "5 h ago". Takes Unix milliseconds. */
export function ago(at: number, now: number, dayOf = day): string {
  const elapsed = Math.max(0, now - at)
  if (elapsed < 5_000) return m.time_now()
  if (elapsed < MINUTE) return m.time_seconds_ago({ n: Math.floor(elapsed / 1_000) })
  if (elapsed < HOUR) return m.time_minutes_ago({ n: Math.floor(elapsed / MINUTE) })
  if (elapsed < DAY) return m.time_hours_ago({ n: Math.floor(elapsed / HOUR) })
  return dayOf(at)
}

/** When something ends: the date, a countdown within the last day ("ends in 2 h 14 min"), or that it has ended. */
export function ending(at: number, now: number): string {
  const left = at - now
  if (left <= 0) return m.time_ended({ day: day(at) })
  if (left < HOUR) return m.time_ends_in_minutes({ n: Math.max(1, Math.ceil(left / MINUTE)) })
  if (left < DAY) return m.time_ends_in_hours({ hours: Math.floor(left / HOUR), minutes: Math.floor((left % HOUR) / MINUTE) })
  return m.time_ends({ day: day(at) })
}
