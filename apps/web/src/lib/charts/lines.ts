import type { ChanceLine } from '@augury/wire/platform/event'

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
  /** Up to when its points are not of this exchange, and what they are. */
  earlier?: ChanceLine['earlier']
}
/** Colour of a bar: the brand's, that of the line of the market at a place, or a neutral one. */
export type Tone = 'brand' | 'quiet' | number

/** Colours of lines, and the patterns that distinguish lines of one colour. */
const COLOURS = 24
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
/** A chance in percent at a time. It has half steps: 1.3 / 100 would be 0.013000000000000001 in what is downloaded. */
export const toPoint = (t: number, percent: number): Point => ({ t, p: Math.round(percent * 200) / 20_000 })

/** Extends lines to the current chance (percent by slug; null leaves a line as it is), so that a chart agrees with the rows below. */
export const upTo = (lines: Line[], now: number, percents: ReadonlyMap<string, number | null>): Line[] =>
  lines.map((line) => {
    const percent = percents.get(line.slug) ?? null
    return percent === null ? line : { ...line, points: [...line.points, toPoint(now, percent)] }
  })

/** Up to when the points that lines show are sample or imported prices; null where all are prices of this exchange. */
export function earlierOf(lines: readonly Line[]): NonNullable<Line['earlier']> | null {
  const all = lines.flatMap(({ earlier, points }) => (earlier && points[0] && points[0].t <= earlier.until ? earlier : []))
  return all.toSorted((a, b) => b.until - a.until)[0] ?? null
}
