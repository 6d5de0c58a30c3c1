import { across, type Frame } from './chart.ts'
import { EXTENT } from './extent.ts'
import type { Point } from './lines.ts'
import { placesOf, slopesOf } from './smooth.ts'

/** Where the smooth line of some points is at a time, in percent from the top. */
export function heightAt(frame: Frame, points: readonly Point[], t: number): number {
  const places = placesOf(frame, points)
  const slopes = slopesOf(places)
  const x = (across(frame, t) * EXTENT) / 100
  const i = Math.max(
    0,
    places.findLastIndex(([at]) => at <= x),
  )
  const [from, to] = [places[i]!, places[i + 1]]
  if (!to || x <= from[0]) return (100 * from[1]) / EXTENT
  const wide = to[0] - from[0]
  const u = (x - from[0]) / wide
  const v = 1 - u
  // The cubic of Bézier whose inner points lie at a third of the way.
  const [inner, outer] = [from[1] + (wide * slopes[i]!) / 3, to[1] - (wide * slopes[i + 1]!) / 3]
  return (100 * (v ** 3 * from[1] + 3 * v * v * u * inner + 3 * v * u * u * outer + u ** 3 * to[1])) / EXTENT
}
