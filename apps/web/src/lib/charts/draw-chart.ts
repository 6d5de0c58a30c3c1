import { chance } from '#lib/language/numbers.ts'
import { zoneName } from '#lib/language/times.ts'
import { across, down, frameOf, gridChances, spreadLabels, summary } from './chart.ts'
import { EXTENT } from './extent.ts'
import { type Line, lineDashes } from './lines.ts'
import { smoothPath } from './smooth.ts'
import { timeTicks } from './time-ticks.ts'

/** A line as it is drawn: its path, where it ends, how far its label is moved in px, and what the label says. */
interface DrawnLine {
  slug: string
  place: number
  name: string
  dashes: string
  path: string
  end: number
  moved: number
  value: string
}

/** A chart as it is drawn, in percent of its width and height, with its words. */
export interface DrawnChart {
  words: string
  lines: DrawnLine[]
  /** Closes the first path to an area; empty for several lines. */
  area: string
  grid: { y: number; words: string; hasRoom: boolean }[]
  ticks: { x: number; words: string; minor: boolean }[]
  zone: string
}

/** Room between two labels, in percent of the height. */
const ROOM = 9

/** Draws lines up to `now` in Unix milliseconds: on the server for the first sight of a page, afterwards in the browser. */
export function drawChart(lines: readonly Line[], now: number): DrawnChart {
  const frame = frameOf(lines, now)
  const latest = lines.map((line) => line.points.at(-1)?.p ?? frame.low)
  const tops = latest.map((p) => down(frame, p))
  const moved = spreadLabels(tops)
  const hasRoom = (y: number) => lines.length === 1 || tops.every((top) => Math.abs(top - y) > ROOM)
  const begin = lines[0]?.points[0]
  return {
    words: lines.map(summary).join(' '),
    lines: lines.map((line, i) => ({
      ...{ slug: line.slug, place: line.place, name: line.name, dashes: lineDashes(lines, line) },
      ...{ path: smoothPath(frame, line.points), end: tops[i]!, moved: moved[i]!, value: chance(latest[i]! * 100) },
    })),
    area: lines.length === 1 && begin ? `V${EXTENT}H${Math.round((across(frame, begin.t) * EXTENT) / 100)}Z` : '',
    grid: gridChances(frame).map((p) => ({ y: down(frame, p), words: `${Math.round(p * 100)}%`, hasRoom: hasRoom(down(frame, p)) })),
    ticks: timeTicks(frame).map(({ t, words, minor = false }) => ({ x: across(frame, t), words, minor })),
    zone: zoneName(frame.to),
  }
}
