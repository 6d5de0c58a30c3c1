const LOCALE = 'en'
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const date = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })
const dateTime = new Intl.DateTimeFormat(LOCALE, {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZone: 'UTC',
})

/** A day: "May 1, 2026". The zone is UTC on the server and in the browser, so that both write the same. */
export const day = (at: number): string => date.format(at)

const time = new Intl.DateTimeFormat(LOCALE, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone: 'UTC' })

/** A time of day with its zone: "12:00 UTC". */
export const clock = (at: number): string => `${time.format(at)} UTC`

/** A moment with its zone: "May 1, 2026, 12:00 UTC". */
export const moment = (at: number): string => `${dateTime.format(at)} UTC`

/** How long ago something was, within a day; later the day: "now", "12 s ago", "3 min ago", "5 h ago". All in Unix milliseconds. */
export function ago(at: number, now: number): string {
  const elapsed = Math.max(0, now - at)
  if (elapsed < 5_000) return 'now'
  if (elapsed < MINUTE) return `${Math.floor(elapsed / 1_000)} s ago`
  if (elapsed < HOUR) return `${Math.floor(elapsed / MINUTE)} min ago`
  if (elapsed < DAY) return `${Math.floor(elapsed / HOUR)} h ago`
  return day(at)
}

/** When something ends: a countdown in the last day, before that the day, after it the word: "ends in 2 h 14 min". */
export function ending(at: number, now: number): string {
  const left = at - now
  if (left <= 0) return `ended ${day(at)}`
  if (left < HOUR) return `ends in ${Math.max(1, Math.ceil(left / MINUTE))} min`
  if (left < DAY) return `ends in ${Math.floor(left / HOUR)} h ${Math.floor((left % HOUR) / MINUTE)} min`
  return `ends ${day(at)}`
}
