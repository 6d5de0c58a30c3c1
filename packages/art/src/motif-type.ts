import type { Family } from './palette.ts'

/** A motif on a square of 64: what stands on a ground, or, with `full`, fills the square. `tiled`: it is a pattern without a subject. */
export interface Motif {
  ground: Family
  shapes: string
  full?: boolean
  tiled?: boolean
}
