import type { Hex } from '@augury/engine/command'
import type { MaybePromise } from '../../base/maybe-promise.ts'

/**
 * Keeps the commands of an account in the order in which their requests arrived, whatever each has to wait for first.
 * Accounts never wait for each other.
 */
export class Lanes {
  readonly #tails = new Map<Hex, Promise<void>>()

  /**
   * Runs `prepare` at once and then, when every earlier request of the account has submitted, `submit` with its result. `prepare` is given
   * what is ahead of the request: "what the account sent before" must not be asked for later, when the request itself is in its lane.
   * `submit` must hand over its commands before it awaits anything. A failed preparation is the caller's alone.
   */
  run<Prepared, Result>(
    account: Hex,
    prepare: (ahead: Promise<void> | undefined) => MaybePromise<Prepared>,
    submit: (prepared: Prepared) => Promise<Result>,
  ): Promise<Result> {
    try {
      const ahead = this.#tails.get(account)
      const prepared = prepare(ahead)
      return ahead || prepared instanceof Promise ? this.#queue(account, ahead, prepared, submit) : submit(prepared)
    } catch (error) {
      return Promise.reject(error)
    }
  }

  /** Resolves when every request of the account that has arrived has submitted; undefined when none is being prepared. */
  ahead(account: Hex): Promise<void> | undefined {
    return this.#tails.get(account)
  }

  async #queue<Prepared, Result>(
    account: Hex,
    ahead: Promise<void> | undefined,
    preparing: MaybePromise<Prepared>,
    submit: (prepared: Prepared) => Promise<Result>,
  ): Promise<Result> {
    let leave!: () => void
    const tail = new Promise<void>((resolve) => {
      leave = resolve
    })
    this.#tails.set(account, tail)
    let result: Promise<Result>
    try {
      const prepared = await preparing
      await ahead
      result = submit(prepared)
    } finally {
      const done = () => {
        if (this.#tails.get(account) === tail) this.#tails.delete(account)
        leave()
      }
      if (ahead) void ahead.then(done)
      else done()
    }
    return result
  }
}
