/** Runs asynchronous work one piece at a time per key, in the order of the calls. Different keys never wait for each other. */
export class KeyedQueue {
  readonly #last = new Map<string, Promise<unknown>>()

  /** Runs `work` once all earlier work under the key has finished or failed; settles as it does. */
  run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const done = (this.#last.get(key) ?? Promise.resolve()).catch(() => {}).then(work)
    this.#last.set(key, done)
    const forget = () => {
      if (this.#last.get(key) === done) this.#last.delete(key)
    }
    done.then(forget, forget)
    return done
  }
}
