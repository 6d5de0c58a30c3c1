import { dayOfMonth, hour, monthName, zoneOffset } from '#lib/language/times.ts'
import type { Frame } from './chart.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const STEPS = [15 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 4 * HOUR, 8 * HOUR, DAY, 2 * DAY, 7 * DAY, 14 * DAY]
/** Steps in months, from where a chart is this long. */
const MONTHS = [1, 2, 3, 6, 12]
const MONTHLY = 50 * DAY
/** Up to this, the middle of each month has a tick as well. */
const HALVES = 100 * DAY
/** Most ticks, and how near the edges none stands, as a part of the time. */
const MOST = 5
const EDGE = 0.04

/** A time below a chart; a `minor` one is left out where there is little room. */
interface Tick {
  t: number
  words: string
  minor?: true
}

/** Times to write below a chart, each with its words: times of day, days, or the beginnings of months. All in the reader's zone. */
export function timeTicks({ from, to }: Pick<Frame, 'from' | 'to'>): Tick[] {
  const span = to - from
  // Within a chart the zone hardly changes its distance from UTC, and a tick may be an hour off.
  const offset = zoneOffset(to)
  const ticks = span > MONTHLY ? monthTicks(from, to, offset) : evenTicks(from, to, offset)
  return ticks.filter(({ t }) => t >= from + EDGE * span && t <= to - EDGE * span)
}

function evenTicks(from: number, to: number, offset: number): Tick[] {
  const step = STEPS.find((each) => (to - from) / each <= MOST) ?? STEPS.at(-1)!
  const ticks: Tick[] = []
  for (let t = Math.ceil((from + offset) / step) * step - offset; t <= to; t += step)
    ticks.push({ t, words: step < DAY && (t + offset) % DAY !== 0 ? hour(t) : dayOfMonth(t) })
  return ticks
}

function monthTicks(from: number, to: number, offset: number): Tick[] {
  const begin = new Date(from + offset)
  const [year, month] = [begin.getUTCFullYear(), begin.getUTCMonth()]
  const count = Math.ceil((to - from) / (30 * DAY)) + 1
  const step = MONTHS.find((each) => count / each <= MOST + 1) ?? MONTHS.at(-1)!
  const first = Math.ceil(month / step) * step
  const starts = Array.from({ length: Math.ceil(count / step) + 1 }, (_, i) => Date.UTC(year, first + i * step, 1) - offset)
  const ticks = starts.map((t) => ({ t, words: new Date(t + offset).getUTCMonth() === 0 ? yearOf(t + offset) : monthName(t) }))
  if (to - from > HALVES) return ticks
  const halves = starts.map((start): Tick => ({ t: start + 14 * DAY, words: dayOfMonth(start + 14 * DAY), minor: true }))
  return [...ticks, ...halves].sort((a, b) => a.t - b.t)
}

const yearOf = (t: number) => String(new Date(t).getUTCFullYear())
