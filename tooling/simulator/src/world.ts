import { type Prng, prng } from '@augury/testing/prng'
import type { Clock } from '@augury/venue/base/clock'

interface Due {
  time: number
  tie: number
  owner: Host | null
  call: () => void
}

/** A machine of the simulated world: its clocks, and whether its process is alive. */
export interface Host {
  clock: Clock
  /** Offset of the wall clock from the world's time in milliseconds. May change at any moment. */
  skew: number
  /** Until when it is frozen, as if in garbage collection. */
  stalledUntil: number
  /** Until when its network to the database is cut. */
  cutOffUntil: number
  alive: boolean
}

/** The simulated world: one queue of events, ordered by time and, within a moment, by the seed. */
export class World {
  readonly random: Prng
  /** Milliseconds since 1970, which programs inside cannot see. */
  now = Date.UTC(2026, 0, 1)
  /** Called at every moment between two events. */
  onMoment: () => void = () => {}
  #queue: Due[] = []

  constructor(seed: number) {
    this.random = prng(seed)
  }

  /** Adds a machine with a clock of its own. Its pending events are dropped when it dies. */
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

  /** Calls once after so many milliseconds. Returns a function that cancels it. */
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

  /** Resolves after so many simulated milliseconds. */
  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => void this.after(ms, resolve))
  }

  /** Runs the world until `done`, or for at most so many milliseconds. Returns whether it was done. */
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

/** Lets every settled promise run its continuations. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
