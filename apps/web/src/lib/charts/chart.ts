import { chance } from '#lib/language/numbers.ts'
import { perLocale } from '#lib/language/per-locale.ts'
import { clock, day, namedDay } from '#lib/language/times.ts'
import { m } from '#lib/paraglide/messages.js'
import type { Line, Point } from './lines.ts'

/** The plotted range of time and of chance. */
export interface Frame {
  from: number
  to: number
  low: number
  high: number
}

const DAY_MS = 86_400_000

/** The frame of all lines: their whole time, and their chances with a margin, on steps of 5 % or 10 %. */
export function frameOf(lines: readonly Line[], now: number): Frame {
  const points = lines.flatMap((line) => line.points)
  if (points.length === 0) return { from: now - 1, to: now, low: 0, high: 1 }
  const chances = points.map((point) => point.p)
  const least = Math.min(...chances)
  const most = Math.max(...chances)
  const step = most - least > 0.3 ? 0.1 : 0.05
  const low = Math.max(0, Math.floor((least - 0.01) / step) * step)
  const high = Math.min(1, Math.ceil((most + 0.01) / step) * step)
  const from = Math.min(...points.map((point) => point.t))
  return { from, to: Math.max(now, from + 1), low, high }
}

/** Position of a time in percent from the left, and of a chance from the top. */
export const across = (frame: Frame, t: number): number => (100 * (t - frame.from)) / (frame.to - frame.from)
export const down = (frame: Frame, p: number): number => (100 * (frame.high - p)) / (frame.high - frame.low)

/** Chances of the three to five horizontal grid lines. */
export function gridChances({ low, high }: Frame): number[] {
  const step = [0.02, 0.05, 0.1, 0.2, 0.25].find((each) => (high - low) / each <= 4 + 1e-9) ?? 0.25
  const first = Math.ceil(low / step - 1e-9)
  const last = Math.floor(high / step + 1e-9)
  return Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step)
}

/** Labels of the ends of the time axis, the last with the zone: times within a day, else days. The first is empty if both would be equal. */
export function edgesOf({ from, to }: Frame): [string, string] {
  const [write, named] = to - from > DAY_MS ? [day, namedDay] : [clock, clock]
  return [write(from) === write(to) ? '' : write(from), named(to)]
}

/** The chance of a line at a time; null before its first point. */
export function chanceAt(points: Point[], t: number): number | null {
  let found: number | null = null
  for (const point of points) {
    if (point.t > t) break
    found = point.p
  }
  return found
}

/** Minimum height of a plot with labels at the ends of its lines, and minimum distance of these labels, in px. */
const LEAST_HEIGHT = 170
const LABEL_GAP = 15

/**
 * Offsets in px that keep labels (at percent from the top) from overlapping, moving each as little as possible. Computed for the minimum height;
 * in higher plots labels are farther apart. Labels keep their order and stay within the plot.
 */
export function spreadLabels(tops: number[]): number[] {
  const moved: number[] = []
  const order = tops.map((top, i) => ({ px: (top * LEAST_HEIGHT) / 100, i })).sort((a, b) => a.px - b.px)
  // The mean of being pushed down by the labels above, and up by those below.
  const pushed: number[] = []
  for (const { px } of order) pushed.push(Math.max(px, (pushed.at(-1) ?? -LABEL_GAP) + LABEL_GAP))
  const places: number[] = []
  let pulled = Infinity
  let lowest = LEAST_HEIGHT
  for (const { px } of order.toReversed()) {
    pulled = Math.min(px, pulled - LABEL_GAP)
    const place = Math.min((pushed.pop()! + pulled) / 2, lowest)
    lowest = place - LABEL_GAP
    places.unshift(place)
  }
  let highest = 0
  order.forEach(({ px, i }, n) => {
    const place = Math.max(places[n]!, highest)
    highest = place + LABEL_GAP
    moved[i] = place - px
  })
  return moved
}

const percent = (p: number) => chance(p * 100)

/** A sentence describing a line: "Yes rose from 41% to 53% in 7 days, low 38%, high 55%." */
export function summary({ name, points }: Line): string {
  const first = points[0]
  const last = points.at(-1)
  if (!first || !last) return m.chart_no_history({ name })
  const chances = points.map((point) => point.p)
  const [from, to] = [percent(first.p), percent(last.p)]
  const message = from === to ? m.chart_same : last.p > first.p ? m.chart_rose : m.chart_fell
  const [low, high] = [percent(Math.min(...chances)), percent(Math.max(...chances))]
  return message({ name, from, to, time: stretch(last.t - first.t), low, high })
}

const stretches = (['day', 'hour', 'minute'] as const).map((unit) =>
  perLocale((tag) => new Intl.NumberFormat(tag, { style: 'unit', unit, unitDisplay: 'long', maximumFractionDigits: 0 })),
)
const STRETCHES_MS = [86_400_000, 3_600_000, 60_000]

/** A duration in its largest unit, at least a minute: "7 days". */
function stretch(ms: number): string {
  const found = STRETCHES_MS.findIndex((each) => ms >= each)
  const i = found === -1 ? STRETCHES_MS.length - 1 : found
  return stretches[i]!().format(Math.max(1, ms / STRETCHES_MS[i]!))
}
