/** Buckets are so much wider than the one before: what a percentile may be off by. */
const WIDTH = 1.02
const LEAST_MS = 0.05
const BUCKETS = 800

/** Times in as little memory for a million as for ten: counted in buckets of two per cent. */
export class Histogram {
  readonly #counts = new Float64Array(BUCKETS)
  count = 0

  /** Notes a time in milliseconds. */
  add(ms: number): void {
    const bucket = Math.ceil(Math.log(Math.max(ms, LEAST_MS) / LEAST_MS) / Math.log(WIDTH))
    this.#counts[Math.min(bucket, BUCKETS - 1)]!++
    this.count++
  }

  /** Milliseconds that a share of the times does not exceed; NaN when there are none. */
  percentile(share: number): number {
    let left = Math.ceil(this.count * share)
    for (let bucket = 0; bucket < BUCKETS && this.count > 0; bucket++) {
      left -= this.#counts[bucket]!
      if (left <= 0) return LEAST_MS * WIDTH ** bucket
    }
    return Number.NaN
  }
}
