import { Worker } from 'node:worker_threads'
import { type Clock, sleep } from '../../base/clock.ts'
import type { FollowerData, FollowerNews, FollowerOrder } from './follower-worker.ts'
import type { Progress } from './progress.ts'

const RESTART_MS = 1000
/** The same when a retry would only fail again until an operator has stepped in. */
const STOPPED_MS = 30_000
/**
 * A closing thread that cannot finish, because the database is away, is terminated after this; the next start continues where history
 * stands.
 */
const CLOSE_MS = 20_000

/** Keeps a follower running in a thread of its own, where it costs the writer no time. */
export class FollowerThread {
  readonly #data: FollowerData
  readonly #clock: Clock
  readonly #progress: Progress
  readonly #onTrouble: (message: string, isStopped: boolean) => void
  readonly #stoppedMs: number
  /**
   * 1 while the follower rests and wants to be woken. A message costs more than this check, and a busy follower reads the journal anyway.
   */
  readonly #listening = new Int32Array(new SharedArrayBuffer(4))
  #isStopped = false
  /** Whether `flush` was sent since the last news of its progress. */
  #isFlushing = false
  /** Those who wait for the state to be signed, oldest first: the thread answers in order. */
  #rootAwaited: ((isCut: boolean) => void)[] = []
  #endPause: () => void = () => {}
  #worker: Worker | null = null
  #stopping = false
  readonly #ended: Promise<void>

  /**
   * Reports to `progress` how far history is, and to `onTrouble` why a thread ended. `isStopped` means that history cannot continue by
   * itself: it differs from the journal, an account's holds differ from its orders, or a fact breaks a constraint. It is then retried every
   * `stoppedMs`, and reported each time.
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

  /** Whether history has stopped until an operator steps in. */
  get isStopped(): boolean {
    return this.#isStopped
  }

  /** A row was committed. */
  wake(): void {
    if (Atomics.exchange(this.#listening, 0, 0) === 1) this.#send('wake')
  }

  /** A reader waits for what history does not have yet. */
  flush(): void {
    if (this.#isFlushing) return
    this.#isFlushing = true
    this.#send('flush')
  }

  /** Lets the state be signed as it is now. Resolves to whether it was: false when the thread ended before. */
  cutRoot(): Promise<boolean> {
    if (!this.#worker) return Promise.resolve(false)
    return new Promise((resolve) => {
      this.#rootAwaited.push(resolve)
      this.#send('cutRoot')
    })
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

  /** Waits; `close` cuts it short. */
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
      worker.on('message', (news: FollowerNews | object) => {
        if (!('type' in news)) return // under `node --watch`, messages about imports arrive here too
        if (news.type === 'root_cut') return this.#rootAwaited.shift()?.(true)
        if (news.type === 'rebuilding') return this.#onTrouble('its folds are of another release, and are made anew', false)
        this.#progress.isStarting = false
        if (news.type === 'failed') failure = news
        else {
          this.#isFlushing = false
          this.#progress.advance(news)
          if (news.seq > began) this.#isStopped = false
        }
      })
      worker.on('error', (error: Error) => (failure ??= { message: error.stack ?? String(error), damaged: false }))
      worker.on('exit', () => {
        this.#worker = null
        this.#progress.isStarting = false
        for (const answer of this.#rootAwaited.splice(0)) answer(false)
        resolve(failure)
      })
      if (this.#stopping) this.#send('stop')
    })
  }

  #send(order: FollowerOrder): void {
    this.#worker?.postMessage(order)
  }
}
