import { Worker } from 'node:worker_threads'
import { type Clock, sleep } from './clock.ts'
import type { FollowerData, FollowerNews, FollowerOrder } from './follower-worker.ts'
import type { Progress } from './progress.ts'

const RESTART_MS = 1000
/** A thread that cannot finish, because the database is away, is ended after so long; the next start goes on where history stands. */
const CLOSE_MS = 20_000

/** Keeps a follower running in a thread of its own, where it costs the writer no time. */
export class FollowerThread {
  readonly #data: FollowerData
  readonly #clock: Clock
  readonly #progress: Progress
  readonly #onTrouble: (message: string, isOver: boolean) => void
  #worker: Worker | null = null
  #stopping = false
  readonly #ended: Promise<void>
  #tellStarted: () => void = () => {}
  /** Resolves when it knows how far history is. */
  readonly started = new Promise<void>((resolve) => (this.#tellStarted = resolve))

  /**
   * `progress` is told how far history is. `onTrouble` hears why a thread ended; `isOver` when history cannot go on because it differs
   * from the journal, or an account's holds from its orders.
   */
  constructor(data: FollowerData, clock: Clock, progress: Progress, onTrouble: (message: string, isOver: boolean) => void) {
    this.#data = data
    this.#clock = clock
    this.#progress = progress
    this.#onTrouble = onTrouble
    this.#ended = this.#keepRunning()
  }

  /** Says that a row was committed. */
  poke(): void {
    this.#send('poke')
  }

  /** Lets it write everything there is, take a snapshot, and end. */
  async close(): Promise<void> {
    this.#stopping = true
    this.#send('stop')
    const forget = this.#clock.after(CLOSE_MS, () => void this.#worker?.terminate())
    await this.#ended
    forget()
  }

  /** A lost connection ends the thread; the next one begins where history stands. */
  async #keepRunning(): Promise<void> {
    while (!this.#stopping) {
      const failure = await this.#runOnce()
      if (failure) this.#onTrouble(failure.message, failure.damaged)
      if (failure?.damaged) return
      if (failure && !this.#stopping) await sleep(this.#clock, RESTART_MS)
    }
  }

  #runOnce(): Promise<{ message: string; damaged: boolean } | null> {
    return new Promise((resolve) => {
      let failure: { message: string; damaged: boolean } | null = null
      const worker = new Worker(new URL('./follower-worker.ts', import.meta.url), { workerData: this.#data, execArgv: [] })
      this.#worker = worker
      worker.on('message', (news: FollowerNews) => {
        if (news.type === 'failed') failure = news
        else {
          this.#progress.advance(news)
          this.#tellStarted()
        }
      })
      worker.on('error', (error: Error) => (failure ??= { message: error.stack ?? String(error), damaged: false }))
      worker.on('exit', () => {
        this.#worker = null
        resolve(failure)
      })
      if (this.#stopping) this.#send('stop')
    })
  }

  #send(order: FollowerOrder): void {
    this.#worker?.postMessage(order)
  }
}
