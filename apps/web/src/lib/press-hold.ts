/** How long after a press nothing is painted that nobody pressed for. */
const HOLD_MS = 150
/** How long that may wait while presses go on. */
const MOST_MS = 300
/** Where a press begins or ends. */
const PRESSES = ['pointerdown', 'pointerup', 'keydown'] as const

/** Lets the work of a page wait while what somebody pressed is answered: one piece of work at a time. */
export class PressHold {
  readonly #over = new AbortController()
  #timer: ReturnType<typeof setTimeout> | undefined
  #pressedAt = Number.NEGATIVE_INFINITY

  /** `page` hears of every press. */
  constructor(page: EventTarget) {
    const press = () => {
      this.#pressedAt = performance.now()
    }
    for (const type of PRESSES) page.addEventListener(type, press, { capture: true, passive: true, signal: this.#over.signal })
  }

  /** Does the work when no press is being answered: now, if none is. */
  whenFree(work: () => void): void {
    this.#try(work, performance.now() + MOST_MS)
  }

  /** Ends it for good; work that waits is not done. */
  close(): void {
    this.#over.abort()
    clearTimeout(this.#timer)
  }

  #try(work: () => void, atLast: number): void {
    const wait = Math.min(this.#pressedAt + HOLD_MS, atLast) - performance.now()
    if (wait > 0) this.#timer = setTimeout(() => this.#try(work, atLast), wait)
    else work()
  }
}
