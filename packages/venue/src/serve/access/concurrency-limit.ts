/** The limit is never lower: so few requests are no overload, whatever they wait for. */
export const LEAST = 64
/** The limit before anything was measured: a burst of some tens of milliseconds is no overload yet. */
export const FIRST = 512
/** The limit is never higher, however fast answers come. */
const MOST = 4096
/** Mean wait in milliseconds above which there are too many requests. */
const TARGET_MS = 25
/** The same as a multiple of the wait without overload: a slow disk or machine is no overload. */
const TARGET_CALM = 1.5
/** Waits are averaged over windows of at least so many milliseconds and as many answers as the limit. */
const WINDOW_MS = 100
const GROWTH = 1.25
/** One reduction leaves at least this share of the limit: a single pause of the machine is no trend. */
const SHRINK = 0.5
/** After so long without requests, or without one turned away, an overload is over, and the next burst is treated like the first. */
const GONE_MS = 1000
/** Answers within so many milliseconds are not measured: they were refusals or replays that waited for nothing. */
const AT_ONCE_MS = 1
/** Weight of a calm window that was slower than the average so far; a faster one replaces the average. */
const SLOWER = 0.1

/**
 * How many requests may be under way at once, so that no admitted one waits long. By Little's law the number under way is the rate of
 * answers times their wait: when the wait grows beyond the target, the limit becomes the number that is answered within it. Only answers
 * are measured, so it does not matter what they wait for: the event loop, signatures, the journal, another program on the machine.
 */
export class ConcurrencyLimit {
  #limit = FIRST
  #underway = 0
  /** Mean wait of windows without overload, in milliseconds; null before the first. */
  #calm: number | null = null
  #begun = 0
  /** When the last answer was given. */
  #left = Number.NEGATIVE_INFINITY
  #answers = 0
  #waited = 0
  /** The most requests under way in this window, and whether one was turned away in it. */
  #most = 0
  #isReached = false

  /** Whether one more would be too many, or so many times too many. */
  isFull(times = 1): boolean {
    if (this.#underway < this.#limit * times) return false
    this.#isReached = true
    return true
  }

  /** `count` requests were admitted at a monotonic time in milliseconds. */
  enter(now: number, count = 1): void {
    if (this.#underway === 0) {
      if (now - this.#left >= GONE_MS) this.#limit = Math.max(this.#limit, FIRST)
      if (this.#answers === 0) this.#begun = now
    }
    this.#underway += count
    this.#most = Math.max(this.#most, this.#underway)
  }

  /** The requests that were admitted at `entered` are answered. */
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
