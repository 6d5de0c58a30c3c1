/** Work of which there is one piece at a time under each name, in the order in which it was asked for. */
export class InTurn {
  readonly #last = new Map<string, Promise<unknown>>()

  /** Runs when all earlier work under the name is done or has failed. */
  next<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const done = (this.#last.get(name) ?? Promise.resolve()).catch(() => {}).then(work)
    this.#last.set(name, done)
    const forget = () => {
      if (this.#last.get(name) === done) this.#last.delete(name)
    }
    done.then(forget, forget)
    return done
  }
}
