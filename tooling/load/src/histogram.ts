/** Ratio of the widths of neighbouring buckets: the error of a percentile. */
const WIDTH = 1.02
const LEAST_MS = 0.05
const BUCKETS = 800

/** Durations counted in buckets of two per cent, so that a million take no more memory than ten. */
export class Histogram {
  readonly #counts = new Float64Array(BUCKETS)
  count = 0

  /** Records a duration in milliseconds. */
  add(ms: number): void {
    const bucket = Math.ceil(Math.log(Math.max(ms, LEAST_MS) / LEAST_MS) / Math.log(WIDTH))
    this.#counts[Math.min(bucket, BUCKETS - 1)]!++
    this.count++
  }

  /** A percentile in milliseconds, for a share of 1; NaN when there is no duration. */
  percentile(share: number): number {
    let left = Math.ceil(this.count * share)
    for (let bucket = 0; bucket < BUCKETS && this.count > 0; bucket++) {
      left -= this.#counts[bucket]!
      if (left <= 0) return LEAST_MS * WIDTH ** bucket
    }
    return Number.NaN
  }
}
