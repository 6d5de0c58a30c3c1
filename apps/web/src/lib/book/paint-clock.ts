/** Shortest time between two paints. */
const PAINT_MS = 100

/** Paints what was heard: ten times a second at most, and never before the last paint is on the screen. */
export class PaintClock {
  readonly #paint: () => void
  #timer: ReturnType<typeof setTimeout> | undefined
  #drawing = false
  #waiting = false

  constructor(paint: () => void) {
    this.#paint = paint
  }

  /** Something is to be painted. */
  heard(): void {
    if (this.#drawing) this.#waiting = true
    else
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined
        this.#drawing = true
        this.#paint()
      }, PAINT_MS)
  }

  /** What was painted last is on the screen. */
  painted(): void {
    this.#drawing = false
    if (!this.#waiting) return
    this.#waiting = false
    this.heard()
  }
}
