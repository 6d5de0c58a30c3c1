/** Minimum milliseconds between two paints. */
const PAINT_MS = 100

/** Limits paints to ten a second, and to one at a time until it is on the screen. */
export class PaintClock {
  readonly #paint: () => void
  #timer: ReturnType<typeof setTimeout> | undefined
  #drawing = false
  #waiting = false

  constructor(paint: () => void) {
    this.#paint = paint
  }

  /** Call when there is something to paint. */
  request(): void {
    if (this.#drawing) this.#waiting = true
    else
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined
        this.#drawing = true
        this.#paint()
      }, PAINT_MS)
  }

  /** Call when the last paint is on the screen. */
  painted(): void {
    this.#drawing = false
    if (!this.#waiting) return
    this.#waiting = false
    this.request()
  }
}
