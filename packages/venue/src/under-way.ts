import type { Hex } from '@augury/engine/command'
import type { Lanes } from './access/lanes.ts'
import { OutcomeUnknown } from './log/outcome-unknown.ts'
import type { MaybePromise } from './maybe-promise.ts'
import type { Result } from './venue.ts'

interface Commands {
  count: number
  last: Promise<unknown>
  /** Whether nobody knows what became of one of them: it may yet happen. */
  isDoubtful: boolean
}

/** Commands of accounts that were submitted and have no answer yet: what the state does not tell about its owners. */
export class UnderWay {
  readonly #lanes: Lanes
  readonly #commands = new Map<string, Commands>()

  constructor(lanes: Lanes) {
    this.#lanes = lanes
  }

  /** Counts a command until it is answered. `key` is an account, or whatever else such commands are asked for by. */
  async track(key: string, result: Promise<Result>): Promise<Result> {
    const known = this.#commands.get(key)
    const commands = known ?? { count: 0, last: result, isDoubtful: false }
    if (!known) this.#commands.set(key, commands)
    commands.count++
    commands.last = result
    try {
      return await result
    } catch (error) {
      commands.isDoubtful ||= error instanceof OutcomeUnknown
      throw error
    } finally {
      if (--commands.count === 0 && !commands.isDoubtful) this.#commands.delete(key)
    }
  }

  /** Whether a command under this key has no answer yet. */
  has(key: string): boolean {
    return this.#commands.has(key)
  }

  /**
   * Resolves when all that the account asked for before, and what is tracked under the other keys, is answered: true when the state then tells
   * what became of it. For the preparation in a lane, which what is asked for later waits for.
   */
  settled(account: Hex, ...others: string[]): MaybePromise<boolean> {
    const ahead = this.#lanes.ahead(account)
    const keys = [account, ...others]
    return !ahead && !keys.some((key) => this.has(key)) ? true : this.#settle(ahead, keys)
  }

  async #settle(ahead: Promise<void> | undefined, keys: readonly string[]): Promise<boolean> {
    await ahead
    const commands = keys.flatMap((key) => this.#commands.get(key) ?? [])
    await Promise.allSettled(commands.map(({ last }) => last)) // the last one was answered last
    return !commands.some(({ isDoubtful }) => isDoubtful)
  }
}
