/** So many may always be under way: fewer are no crowd, whatever they wait for. */
export const LEAST = 64
/** How many may be in a burst, before anything is known: what takes some tens of milliseconds is no crowd yet. */
export const FIRST = 512
/** How many ever, as fast as they may be done. */
const MOST = 4096
/** Milliseconds that all wait on average, from which on there are too many. */
const TARGET_MS = 25
/** The same in times of what was waited when nobody crowded: a slow disk or a slow machine is no crowd. */
const TARGET_CALM = 1.5
/** Waits are judged together: those of so many milliseconds at least, and of as many answers as may be under way. */
const WINDOW_MS = 100
const GROWTH = 1.25
/** Part of the limit that one judgement leaves: one pause of the machine is no trend. */
const SHRINK = 0.5
/** So long without anybody, or without one who was turned away, and a crowd is gone: the next burst is the first again. */
const GONE_MS = 1000
/** What is answered within so many milliseconds waited for nobody: it was refused, or had been answered before. */
const AT_ONCE_MS = 1
/** Weight of a calm window that was slower than the ones before: one that was quicker is believed at once. */
const SLOWER = 0.1

/**
 * How many may be under way at once, so that nobody who is let in waits long. By Little's law who waits is the rate of answers times their
 * wait: when the wait grows beyond the target, only as many may wait as are answered within it. It is the answers that are measured, so
 * it holds whatever they wait for: the event loop, signatures, the journal, a busy neighbour.
 */
export class ConcurrencyLimit {
  #limit = FIRST
  #underway = 0
  /** Mean wait of windows without a crowd, and never more than any other had; null before the first. */
  #calm: number | null = null
  #begun = 0
  /** When the last answer was given. */
  #left = Number.NEGATIVE_INFINITY
  #answers = 0
  #waited = 0
  /** The most under way in this window, and whether somebody was turned away in it. */
  #most = 0
  #isReached = false

  /** Whether one more would be too many. */
  isFull(): boolean {
    if (this.#underway < this.#limit) return false
    this.#isReached = true
    return true
  }

  /** So many were let in at a monotonic time in milliseconds. */
  enter(now: number, count = 1): void {
    if (this.#underway === 0) {
      if (now - this.#left >= GONE_MS) this.#limit = Math.max(this.#limit, FIRST)
      if (this.#answers === 0) this.#begun = now
    }
    this.#underway += count
    this.#most = Math.max(this.#most, this.#underway)
  }

  /** Those who were let in then have an answer. */
  leave(entered: number, now: number, count = 1): void {
    this.#underway -= count
    this.#left = now
    if (now - entered < AT_ONCE_MS) return
    this.#answers += count
    this.#waited += count * (now - entered)
    const since = now - this.#begun
    if ((this.#answers >= this.#limit && since >= WINDOW_MS) || (!this.#isReached && since >= GONE_MS)) this.#judge(now)
  }

  #judge(now: number): void {
    const wait = this.#waited / this.#answers
    const calm = this.#calm ?? wait
    if (wait < calm && this.#calm !== null) this.#calm = wait
    else if (this.#most <= LEAST) this.#calm = calm + SLOWER * (wait - calm)
    const target = Math.max(TARGET_MS, TARGET_CALM * (this.#calm ?? 0))
    if (wait <= target) {
      const isGone = !this.#isReached && now - this.#begun >= GONE_MS
      const least = isGone ? FIRST : this.#limit * GROWTH
      const room = this.#isReached ? MOST : Math.max(FIRST, this.#limit)
      this.#limit = Math.min(room, Math.max(this.#limit, least))
    } else if (this.#most > LEAST) {
      const within = (this.#answers * target) / (now - this.#begun)
      this.#limit = Math.max(LEAST, this.#limit * SHRINK, Math.min(within, this.#limit))
    }
    this.#begun = now
    this.#answers = 0
    this.#waited = 0
    this.#most = this.#underway
    this.#isReached = false
  }
}
