import { chance } from '#lib/language/numbers.ts'
import { perLocale } from '#lib/language/per-locale.ts'
import { clock, day, namedDay } from '#lib/language/times.ts'
import { m } from '#lib/paraglide/messages.js'

/** A chance (0..1) at a moment (Unix milliseconds). */
export interface Point {
  t: number
  p: number
}
/** One market's chance over time, oldest point first. */
export interface Line {
  /** The market's slug. */
  slug: string
  name: string
  /** The market's place in its event, to which its colour belongs: it stays the same when prices and the lines shown change. */
  place: number
  points: Point[]
}
/** Colour of a bar: the brand's, that of the line of the market at a place, or a neutral one. */
export type Tone = 'brand' | 'quiet' | number

/** Colours of lines, and the patterns that distinguish lines of one colour. */
const COLOURS = 12
const DASHES = ['none', '7 4', '2 3']

/** The colour of a market beside a chart, which is that of its line. */
export function toneOf(lines: readonly Line[], slug: string): Tone {
  if (lines.length === 0) return 'brand'
  return lines.find((each) => each.slug === slug)?.place ?? 'quiet'
}

/** Colour of the line of the market at a place, as an SVG attribute value, as inline styles are forbidden. */
export const lineColour = (place: number): string => `var(${lineToken(place)})`

/** Dashes of a line among those of its chart, as an SVG attribute value: none, unless a line before it has the same colour. */
export function lineDashes(lines: readonly Pick<Line, 'place'>[], { place }: Pick<Line, 'place'>): string {
  const before = lines.filter((each) => each.place < place && lineToken(each.place) === lineToken(place))
  return DASHES[before.length % DASHES.length]!
}

/** Colour of a bar, in the same form. */
export const toneColour = (tone: Tone): string =>
  typeof tone === 'number' ? lineColour(tone) : tone === 'quiet' ? 'var(--border-strong)' : 'var(--brand)'

/** Token of a line's colour. */
export const lineToken = (place: number): string => `--line-${(place % COLOURS) + 1}`

/** A trade of the reader, on the line of the market at a place. */
export interface ChartMark extends Point {
  id: string
  place: number
  bought: boolean
  /** Description of the trade. */
  name: string
}
/** The plotted range of time and of chance. */
export interface Frame {
  from: number
  to: number
  low: number
  high: number
}

const DAY_MS = 86_400_000

/** Side of the square in which paths are drawn; the SVG stretches it. */
export const EXTENT = 1000

/** The frame of all lines: their whole time, and their chances with a margin, on steps of 5 % or 10 %. */
export function frameOf(lines: Line[], now: number): Frame {
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

/** A chance in percent at a time. It has half steps: 1.3 / 100 would be 0.013000000000000001 in what is downloaded. */
export const toPoint = (t: number, percent: number): Point => ({ t, p: Math.round(percent * 200) / 20_000 })

/** Extends lines to the current chance (percent by slug; null leaves a line as it is), so that a chart agrees with the rows below. */
export const upTo = (lines: Line[], now: number, percents: ReadonlyMap<string, number | null>): Line[] =>
  lines.map((line) => {
    const percent = percents.get(line.slug) ?? null
    return percent === null ? line : { ...line, points: [...line.points, toPoint(now, percent)] }
  })

/** Position of a time in percent from the left, and of a chance from the top. */
export const across = (frame: Frame, t: number): number => (100 * (t - frame.from)) / (frame.to - frame.from)
export const down = (frame: Frame, p: number): number => (100 * (frame.high - p)) / (frame.high - frame.low)

/** SVG path of a step line: a chance holds until the next point, the last one until the end of the frame. */
export function stepPath(frame: Frame, points: Point[]): string {
  const scale = EXTENT / 100
  const x = (t: number) => (across(frame, t) * scale).toFixed(1)
  const y = (p: number) => (down(frame, p) * scale).toFixed(1)
  return points
    .map((point, i) => (i === 0 ? `M${x(point.t)} ${y(point.p)}` : `H${x(point.t)}V${y(point.p)}`))
    .concat(points.length > 0 ? [`H${EXTENT}`] : [])
    .join('')
}

/** Chances of the four or five horizontal grid lines. */
export function gridChances({ low, high }: Frame): number[] {
  const step = [0.05, 0.1, 0.2, 0.25].find((each) => (high - low) / each <= 5) ?? 0.25
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
