import { m } from '#lib/paraglide/messages.js'
import { leftToRight } from './numbers.ts'
import { perLocale } from './per-locale.ts'
import { getZone, UTC } from './zone.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** Milliseconds of a day. */
export const DAY = 24 * HOUR

const DATE = { day: 'numeric', month: 'short', year: 'numeric' } as const
const TIME = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
const NAMED = { timeZoneName: 'short' } as const

/** Returns a formatter of times in the page's language and in a zone, cached by both. */
function perZone(options: Intl.DateTimeFormatOptions): (zone?: string) => Intl.DateTimeFormat {
  const inLocale = perLocale((tag) => {
    const made = new Map<string, Intl.DateTimeFormat>()
    return (timeZone: string) => {
      const format = made.get(timeZone) ?? new Intl.DateTimeFormat(tag, { ...options, timeZone })
      return made.set(timeZone, format).get(timeZone)!
    }
  })
  return (zone = getZone()) => inLocale()(zone)
}
const date = perZone(DATE)
const namedDate = perZone({ ...DATE, ...NAMED })
const dateTime = perZone({ ...DATE, ...TIME, ...NAMED })
const time = perZone(TIME)
const namedTime = perZone({ ...TIME, ...NAMED })
const monthAndDay = perZone({ day: 'numeric', month: 'short' })
const month = perZone({ month: 'short' })

/** A date in the reader's zone: "May 1, 2026". */
export const day = (at: number): string => date().format(at)

/** The same with the zone: "May 1, 2026, GMT+2". */
export const namedDay = (at: number): string => namedDate().format(at)

/** A day of the calendar, given as its midnight in UTC. */
export const calendarDay = (at: number): string => date(UTC).format(at)

/** A time of day in the reader's zone, without its name: "14:00". */
export const hour = (at: number): string => time().format(at)

/** A time of day with its zone: "14:00 GMT+2". */
export const clock = (at: number): string => leftToRight(namedTime().format(at))

/** A day without its year: "Oct 12"; and a month: "Oct". */
export const dayOfMonth = (at: number): string => monthAndDay().format(at)
export const monthName = (at: number): string => month().format(at)

/** Milliseconds that clocks of the reader's zone are ahead of UTC at a time. */
export function zoneOffset(at: number): number {
  const format = new Intl.DateTimeFormat('en', { timeZone: getZone(), timeZoneName: 'longOffset' })
  const [, sign, hours = '0', minutes = '0'] = /GMT([+-])(\d+):(\d+)/.exec(format.format(at)) ?? []
  return (sign === '-' ? -1 : 1) * (Number(hours) * HOUR + Number(minutes) * MINUTE)
}

/** The name of the reader's zone at a time: "GMT+2". */
export const zoneName = (at: number): string =>
  namedTime()
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName')?.value ?? ''

/** A moment with its zone: "May 1, 2026, 14:00 GMT+2". */
export const moment = (at: number): string => dateTime().format(at)

/** Formats it in UTC, to compare with other people's times: "May 1, 2026, 12:00 UTC". */
export const utcMoment = (at: number): string => dateTime(UTC).format(at)

/** Relative time within a day, then the date with its zone: "now", "12 s ago", "3 min ago", "5 h ago". Takes Unix milliseconds. */
export function ago(at: number, now: number): string {
  const elapsed = Math.max(0, now - at)
  if (elapsed < 5_000) return m.time_now()
  if (elapsed < MINUTE) return m.time_seconds_ago({ n: Math.floor(elapsed / 1_000) })
  if (elapsed < HOUR) return m.time_minutes_ago({ n: Math.floor(elapsed / MINUTE) })
  if (elapsed < DAY) return m.time_hours_ago({ n: Math.floor(elapsed / HOUR) })
  return namedDay(at)
}

/** When something ends: the date, a countdown within the last day ("ends in 2 h 14 min"), or that it has ended. */
export function ending(at: number, now: number): string {
  const left = at - now
  if (left <= 0) return m.time_ended({ day: namedDay(at) })
  if (left < HOUR) return m.time_ends_in_minutes({ n: Math.max(1, Math.ceil(left / MINUTE)) })
  if (left < DAY) return m.time_ends_in_hours({ hours: Math.floor(left / HOUR), minutes: Math.floor((left % HOUR) / MINUTE) })
  return m.time_ends({ day: namedDay(at) })
}
