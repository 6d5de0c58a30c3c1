/** Shortest time between two paints. */
const PAINT_MS = 100

/** Paints what was heard, ten times a second at most, and not while nobody looks. */
export class PaintClock {
  readonly #paint: () => void
  #timer: ReturnType<typeof setTimeout> | undefined
  readonly #shown = () => document.hidden || this.heard()

  constructor(paint: () => void) {
    this.#paint = paint
  }

  start(): void {
    document.addEventListener('visibilitychange', this.#shown)
  }

  /** Something is to be painted. */
  heard(): void {
    if (this.#timer !== undefined || document.hidden) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#paint()
    }, PAINT_MS)
  }

  stop(): void {
    document.removeEventListener('visibilitychange', this.#shown)
    clearTimeout(this.#timer)
    this.#timer = undefined
  }
}
