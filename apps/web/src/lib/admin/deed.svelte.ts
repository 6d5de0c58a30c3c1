import { RefusedError } from '@augury/client/answer'
import { type Trouble, troubleOf } from '#lib/failure/trouble.ts'
import { invalidateAll } from '$app/navigation'

/** Something an admin does: whether it is under way, what went wrong, and whether a fresh proof is asked for first. */
export class Deed {
  busy = $state(false)
  /** Something was done; it stays until the next attempt. */
  done = $state('')
  trouble = $state.raw<Trouble | null>(null)
  /** What to do once the admin has proved to be there; null while nothing waits for that. */
  waiting = $state.raw<(() => void) | null>(null)

  /** Runs it and reads the page anew. `refused` says what failed ("The settings were not saved."), `done` what was done. True when it was. */
  async run(refused: string, done: string, work: () => Promise<unknown>): Promise<boolean> {
    this.busy = true
    this.trouble = null
    this.done = ''
    try {
      await work()
      this.done = done
      await invalidateAll()
      return true
    } catch (error) {
      if (error instanceof RefusedError && error.code === 'step_up_required') this.waiting = () => void this.run(refused, done, work)
      else this.trouble = await troubleOf(error, refused)
      return false
    } finally {
      this.busy = false
    }
  }
}
