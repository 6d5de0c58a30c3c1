import { across, down, type Frame } from './chart.ts'
import { EXTENT } from './extent.ts'
import type { Point } from './lines.ts'

/** A point of a drawing, in units of the square in which paths are drawn. */
type Place = readonly [x: number, y: number]

/** A chance holds until the next point. Where that takes longer than this part of the frame, the line stays level and then bends. */
const LEVEL = 30

const SCALE = EXTENT / 100

/** The points of a line as places of the drawing, up to its right edge, with one more where a chance held for long. */
export function placesOf(frame: Frame, points: readonly Point[]): Place[] {
  const most = (frame.to - frame.from) / LEVEL
  const kept: Point[] = []
  for (const point of points) {
    const last = kept.at(-1)
    if (last && point.t - last.t > most) kept.push({ t: point.t - most / 2, p: last.p })
    kept.push(point)
  }
  const end = kept.at(-1)
  if (end && end.t < frame.to) kept.push({ t: frame.to, p: end.p })
  const places: Place[] = []
  for (const { t, p } of kept) {
    const place: Place = [Math.round(across(frame, t) * SCALE), Math.round(down(frame, p) * SCALE)]
    if (places.at(-1)?.[0] === place[0]) places.pop()
    places.push(place)
  }
  return places
}

/** The slope of the line at each place, by Fritsch and Carlson: flat at each high and low, so that a line never leaves the range of its points. */
export function slopesOf(places: readonly Place[]): number[] {
  const steps = places.slice(1).map(([x, y], i) => ({ wide: x - places[i]![0], steep: (y - places[i]![1]) / (x - places[i]![0]) }))
  return places.map((_, i) => {
    const [before, after] = [steps[i - 1], steps[i]]
    if (!before || !after) return (before ?? after)?.steep ?? 0
    if (before.steep * after.steep <= 0) return 0
    const mean = (before.steep * after.wide + after.steep * before.wide) / (before.wide + after.wide)
    return Math.sign(mean) * Math.min(2 * Math.abs(before.steep), 2 * Math.abs(after.steep), Math.abs(mean))
  })
}

/** SVG path of a smooth line through all points, in whole units. */
export function smoothPath(frame: Frame, points: readonly Point[]): string {
  const places = placesOf(frame, points)
  const slopes = slopesOf(places)
  let path = ''
  places.forEach(([x, y], i) => {
    const last = places[i - 1]
    if (!last) {
      path = `M${x} ${y}`
      return
    }
    const [wide, high] = [x - last[0], y - last[1]]
    // Between the heights of both ends, also after rounding.
    const bend = (slope: number) => {
      const by = Math.round((wide * slope) / 3)
      return high < 0 ? Math.max(high, Math.min(0, by)) : Math.min(high, Math.max(0, by))
    }
    const third = Math.round(wide / 3)
    path += `c${third} ${bend(slopes[i - 1]!)} ${wide - third} ${high - bend(slopes[i]!)} ${wide} ${high}`
  })
  return path
}
