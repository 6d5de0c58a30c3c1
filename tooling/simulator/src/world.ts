import { type Prng, prng } from '@augury/testing/prng'
import type { Clock } from '@augury/venue/clock'

interface Due {
  time: number
  tie: number
  owner: Host | null
  call: () => void
}

/** A machine of the simulated world: its clocks, and whether its process is still alive. */
export interface Host {
  clock: Clock
  /** Milliseconds the wall clock is off the world's time. May be changed at any moment. */
  skew: number
  /** Until when it does nothing, as if it collected garbage. */
  stalledUntil: number
  /** Until when nothing gets through between it and the database. */
  cutOffUntil: number
  alive: boolean
}

/** Where simulated processes live: one queue of things to come, ordered by time and, within a moment, by the seed. */
export class World {
  readonly random: Prng
  /** Milliseconds since 1970, as nobody inside can see them. */
  now = Date.UTC(2026, 0, 1)
  /** Hears of every moment between two things that happen. */
  onMoment: () => void = () => {}
  #queue: Due[] = []

  constructor(seed: number) {
    this.random = prng(seed)
  }

  /** A machine with a clock of its own. What it still has to do is forgotten when it dies. */
  host(): Host {
    const host: Host = {
      skew: 0,
      stalledUntil: 0,
      cutOffUntil: 0,
      alive: true,
      clock: {
        wall: () => Math.floor(this.now + host.skew),
        monotonic: () => this.now,
        after: (ms, call) => this.after(ms, call, host),
      },
    }
    return host
  }

  /** Calls once, so many milliseconds from now. Returns what takes it back. */
  after(ms: number, call: () => void, owner: Host | null = null): () => void {
    const due: Due = { time: this.now + Math.max(0, ms), tie: this.random.unit(), owner, call }
    let low = 0
    let high = this.#queue.length
    while (low < high) {
      const middle = (low + high) >> 1
      const other = this.#queue[middle]!
      if (other.time > due.time || (other.time === due.time && other.tie > due.tie)) low = middle + 1
      else high = middle
    }
    this.#queue.splice(low, 0, due)
    return () => {
      const index = this.#queue.indexOf(due)
      if (index >= 0) this.#queue.splice(index, 1)
    }
  }

  /** Resolves after so many milliseconds of the world's time. */
  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => void this.after(ms, resolve))
  }

  /** Lets the world go on until `done`, or for at most so many milliseconds. Says whether it was done. */
  async run(done: () => boolean, ms: number): Promise<boolean> {
    const end = this.now + ms
    await settle()
    while (!done()) {
      const due = this.#queue[this.#queue.length - 1]
      if (!due || due.time > end) {
        this.now = end
        return done()
      }
      this.#queue.pop()
      this.now = due.time
      if (due.owner?.alive === false) continue
      if (due.owner && due.owner.stalledUntil > this.now) {
        this.after(due.owner.stalledUntil - this.now, due.call, due.owner)
        continue
      }
      due.call()
      await settle()
      this.onMoment()
    }
    return true
  }
}

/** Lets every promise that is already decided be heard. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
