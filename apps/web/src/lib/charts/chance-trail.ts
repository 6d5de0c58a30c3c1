import { type Line, type Point, toPoint } from './lines.ts'

/** Changes kept of a market; with more of them, they are kept farther apart. */
const MOST = 500
const SECOND = 1000

interface Trail {
  points: Point[]
  /** Least time between two points, in milliseconds. */
  apart: number
}

/** The chances that markets were seen to have since the page was opened: what was read from the history ends there. */
export class ChanceTrail {
  readonly #trails = new Map<string, Trail>()

  /** Notes chances (percent by slug) at a time; those that did not change add nothing. */
  note(percents: ReadonlyMap<string, number | null>, t: number): void {
    for (const [slug, percent] of percents) if (percent !== null) this.#add(slug, toPoint(t, percent))
  }

  /** Lines that go on with what was seen after them, until a time. */
  after(lines: Line[], until: number): Line[] {
    return lines.map((line) => {
      const last = line.points.at(-1)
      const later = this.#trails.get(line.slug)?.points.filter(({ t }) => t > (last?.t ?? 0) && t <= until) ?? []
      if (later[0]?.p === last?.p) later.shift()
      return later.length === 0 ? line : { ...line, points: [...line.points, ...later] }
    })
  }

  #add(slug: string, point: Point): void {
    const { points, apart } = this.#trails.get(slug) ?? { points: [], apart: 0 }
    const last = points.at(-1)
    if (last?.p === point.p) return
    if (last && point.t - last.t < apart) points[points.length - 1] = { ...last, p: point.p }
    else this.#trails.set(slug, thinned([...points, point], apart))
  }
}

function thinned(points: Point[], apart: number): Trail {
  if (points.length <= MOST) return { points, apart }
  const wider = Math.max(SECOND, 2 * apart)
  let kept = Number.NEGATIVE_INFINITY
  const fewer = points.filter(({ t }, i) => {
    const isKept = t - kept >= wider || i === points.length - 1
    if (isKept) kept = t
    return isKept
  })
  return { points: fewer, apart: wider }
}
