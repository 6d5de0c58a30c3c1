import { heldFocus } from '#lib/parts/focus.ts'
import { type Trouble, troubleOf } from './trouble.ts'

/** State of a form's action: whether it is running, and the error of the last attempt. */
export class Attempt {
  busy = $state(false)
  trouble = $state.raw<Trouble | null>(null)
  /** Whether the last attempt succeeded. */
  done = $state(false)

  /**
   * Runs the action and returns whether it succeeded. `what` is the message of failure ("The name was not changed."), `perhaps` that of an unknown
   * outcome, as in `troubleOf`. Rethrows bugs.
   */
  async run(what: string, doing: () => Promise<unknown>, perhaps?: string): Promise<boolean> {
    const giveBack = heldFocus()
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
      void giveBack()
    }
    return this.done
  }
}
