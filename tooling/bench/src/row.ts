/** One measured figure beside what it is to be compared with. */
export interface Figure {
  /** Who or what was measured, such as `ours` or `nodejs-order-book`. */
  name: string
  value: number
  unit: string
}

/** A line of the table: work that is measured, with its peers. */
export interface Row {
  /** As numbered in the list of targets. */
  id: string
  work: string
  target: string
  /**
   * Measures with so many rounds, on smaller input when quick; `sockets` listen where that can be chosen. Checks what was computed before
   * it gives a speed. `met` is the floor of the target, `aim` what is hoped for beyond it; null or absent where there is none. `why` is
   * printed for what cannot be measured here.
   */
  measure(options: {
    rounds: number
    quick: boolean
    sockets?: number
  }): Promise<{ figures: Figure[]; met: boolean | null; aim?: boolean; note?: string } | { why: string }>
}
