import { Worker } from 'node:worker_threads'
import { type Clock, sleep } from '../clock.ts'
import type { FollowerData, FollowerNews, FollowerOrder } from './follower-worker.ts'
import type { Progress } from './progress.ts'

const RESTART_MS = 1000
/** The same when another try will only repeat what happened, until somebody has mended it. */
const STOPPED_MS = 30_000
/** A thread that cannot finish, because the database is away, is ended after so long; the next start goes on where history stands. */
const CLOSE_MS = 20_000

/** Keeps a follower running in a thread of its own, where it costs the writer no time. */
export class FollowerThread {
  readonly #data: FollowerData
  readonly #clock: Clock
  readonly #progress: Progress
  readonly #onTrouble: (message: string, isStopped: boolean) => void
  readonly #stoppedMs: number
  /** 1 while the thread wants to be told: telling costs more than asking, and a busy follower looks by itself. */
  readonly #listening = new Int32Array(new SharedArrayBuffer(4))
  #isStopped = false
  /** Whether it was told to hurry since it last told how far it is. */
  #isHurried = false
  #endPause: () => void = () => {}
  #worker: Worker | null = null
  #stopping = false
  readonly #ended: Promise<void>

  /**
   * `progress` is told how far history is. `onTrouble` hears why a thread ended; `isStopped` when history cannot go on by itself because
   * it differs from the journal, an account's holds from its orders, or what it should write breaks a constraint: it is then tried again
   * now and then, and told each time.
   */
  constructor(
    data: FollowerData,
    clock: Clock,
    progress: Progress,
    onTrouble: (message: string, isStopped: boolean) => void,
    stoppedMs = STOPPED_MS,
  ) {
    this.#data = data
    this.#clock = clock
    this.#progress = progress
    this.#onTrouble = onTrouble
    this.#stoppedMs = stoppedMs
    this.#ended = this.#keepRunning()
  }

  /** Whether history stands still until somebody does something about it. */
  get isStopped(): boolean {
    return this.#isStopped
  }

  /** Says that a row was committed. */
  poke(): void {
    if (Atomics.exchange(this.#listening, 0, 0) === 1) this.#send('poke')
  }

  /** Says that somebody waits for what history does not have yet. */
  hurry(): void {
    if (this.#isHurried) return
    this.#isHurried = true
    this.#send('hurry')
  }

  /** Lets it write everything there is, take a snapshot, and end. */
  async close(): Promise<void> {
    this.#stopping = true
    this.#endPause()
    this.#send('stop')
    const forget = this.#clock.after(CLOSE_MS, () => void this.#worker?.terminate())
    await this.#ended
    forget()
  }

  /** A lost connection ends the thread; the next one begins where history stands. */
  async #keepRunning(): Promise<void> {
    while (!this.#stopping) {
      const failure = await this.#runOnce()
      this.#isStopped = failure?.damaged ?? false
      if (failure) this.#onTrouble(failure.message, failure.damaged)
      if (failure && !this.#stopping) await this.#pause(failure.damaged ? this.#stoppedMs : RESTART_MS)
    }
  }

  /** Cut short when it is told to end. */
  #pause(ms: number): Promise<void> {
    return Promise.race([sleep(this.#clock, ms), new Promise<void>((resolve) => (this.#endPause = resolve))])
  }

  #runOnce(): Promise<{ message: string; damaged: boolean } | null> {
    return new Promise((resolve) => {
      let failure: { message: string; damaged: boolean } | null = null
      const began = this.#progress.projected().seq
      const worker = new Worker(new URL('./follower-worker.ts', import.meta.url), {
        workerData: { ...this.#data, listening: this.#listening },
        execArgv: [],
      })
      this.#worker = worker
      this.#progress.isStarting = true
      worker.on('message', (news: FollowerNews) => {
        this.#progress.isStarting = false
        if (news.type === 'failed') failure = news
        else {
          this.#isHurried = false
          this.#progress.advance(news)
          if (news.seq > began) this.#isStopped = false
        }
      })
      worker.on('error', (error: Error) => (failure ??= { message: error.stack ?? String(error), damaged: false }))
      worker.on('exit', () => {
        this.#worker = null
        this.#progress.isStarting = false
        resolve(failure)
      })
      if (this.#stopping) this.#send('stop')
    })
  }

  #send(order: FollowerOrder): void {
    this.#worker?.postMessage(order)
  }
}
