import type { Hex } from '@augury/engine/command'
import type { MaybePromise } from '../../base/maybe-promise.ts'
import type { Result } from '../../record/log/applied-row.ts'
import { OutcomeUnknown } from '../../record/log/outcome-unknown.ts'
import type { Lanes } from '../access/lanes.ts'

interface Commands {
  count: number
  last: Promise<unknown>
}

/** Submitted commands that have no answer yet, by account: the state does not show them. */
export class UnderWay {
  readonly #lanes: Lanes
  readonly #commands = new Map<string, Commands>()
  /** Counts all commands. */
  #tracked = 0
  /** Keys of commands with an unknown outcome: they may yet happen. With how many commands there had been by then. */
  readonly #doubts = new Map<string, number>()

  constructor(lanes: Lanes) {
    this.#lanes = lanes
  }

  /**
   * Counts a command that was just submitted until it is answered. `key` is an account, or whatever else such commands are asked for by.
   */
  async track(key: string, result: Promise<Result>): Promise<Result> {
    const number = ++this.#tracked
    const commands = this.#commands.get(key) ?? { count: 0, last: result }
    this.#commands.set(key, commands)
    commands.count++
    commands.last = result
    try {
      const answer = await result
      this.#endDoubtsBefore(number)
      return answer
    } catch (error) {
      if (error instanceof OutcomeUnknown) this.#doubts.set(key, this.#tracked)
      throw error
    } finally {
      if (--commands.count === 0) this.#commands.delete(key)
    }
  }

  /**
   * Rows are written and applied in order, and each names the row before it. So once a command is applied that was submitted after another
   * came into doubt, that one is in the state, or can never happen.
   */
  #endDoubtsBefore(number: number): void {
    for (const [key, tracked] of this.#doubts) if (tracked < number) this.#doubts.delete(key)
  }

  /** Returns whether a command under this key has no answer yet, or an unknown outcome. */
  has(key: string): boolean {
    return this.#commands.has(key) || this.#doubts.has(key)
  }

  /**
   * Resolves when everything that the account asked for before, and every command tracked under the other keys, is answered. False when one
   * of them is in doubt, so that the state does not tell what became of it. For the preparation in a lane: later requests wait for that.
   */
  settled(account: Hex, ...others: string[]): MaybePromise<boolean> {
    return this.settledBehind(this.#lanes.ahead(account), account, ...others)
  }

  /** The same for a preparation that has already awaited something: `ahead` is what was before it in its lane when it began. */
  settledBehind(ahead: Promise<void> | undefined, ...keys: string[]): MaybePromise<boolean> {
    return !ahead && !keys.some((key) => this.has(key)) ? true : this.#settle(ahead, keys)
  }

  async #settle(ahead: Promise<void> | undefined, keys: readonly string[]): Promise<boolean> {
    await ahead
    const commands = keys.flatMap((key) => this.#commands.get(key) ?? [])
    await Promise.allSettled(commands.map(({ last }) => last)) // the last one was answered last
    return !keys.some((key) => this.#doubts.has(key))
  }
}
