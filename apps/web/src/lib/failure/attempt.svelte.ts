import { type Trouble, troubleOf } from './trouble.ts'

/** One thing that a form tries: whether it is under way, and what went wrong with the last try. */
export class Attempt {
  busy = $state(false)
  trouble = $state.raw<Trouble | null>(null)
  /** Whether the last try went well. */
  done = $state(false)

  /**
   * Tries; `what` names what was not done ("The name was not changed."), `perhaps` is said where nobody knows and it may be tried again, as
   * of `troubleOf`. True when it was done. Errors that are bugs are thrown on.
   */
  async run(what: string, doing: () => Promise<unknown>, perhaps?: string): Promise<boolean> {
    this.busy = true
    this.trouble = null
    this.done = false
    try {
      await doing()
      this.done = true
    } catch (error) {
      this.trouble = await troubleOf(error, what, perhaps)
    } finally {
      this.busy = false
    }
    return this.done
  }
}
