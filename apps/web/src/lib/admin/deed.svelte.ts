import { RefusedError } from '@augury/client/answer'
import { isUnknown, type Trouble, troubleOf } from '#lib/failure/trouble.ts'
import { invalidateAll } from '$app/navigation'

/** A field that was refused, by its path, and why. */
interface Problem {
  path: string
  problem: string
}

/** What an admin is asked before something that cannot be taken back, or that others feel at once. */
export interface Question {
  title: string
  /** What comes of it. */
  about: string
  /** The word on the button that does it. */
  act: string
  /** What is asked for beside the yes, where words are kept with what is done; they may be left out. */
  why?: string
}

/** Something an admin does: whether it is under way, what went wrong, and whether a fresh proof is asked for first. */
export class Deed {
  busy = $state(false)
  /** Something was done; it stays until the next attempt. */
  done = $state('')
  trouble = $state.raw<Trouble | null>(null)
  /** What is wrong with which field, where that was the trouble. */
  problems = $state.raw<readonly Problem[]>([])
  /** What to do once the admin has proved to be there; null while nothing waits for that. */
  waiting = $state.raw<(() => void) | null>(null)
  /** What is asked first, and what a yes does; null while nothing is asked. */
  asking = $state.raw<(Question & { go: () => unknown }) | null>(null)
  /** What was written there. */
  note = $state('')

  /** Does something once the admin was told what comes of it and said yes. */
  ask(question: Question, go: () => unknown): void {
    this.note = ''
    this.asking = { ...question, go }
  }

  /** Runs it and reads the page anew. `refused` says what failed ("The settings were not saved."), `done` what was done. True when it was; where a proof is asked for, after it. */
  async run(refused: string, done: string, work: () => Promise<unknown>): Promise<boolean> {
    this.busy = true
    this.trouble = null
    this.problems = []
    this.done = ''
    try {
      await work()
      this.done = done
      await invalidateAll()
      return true
    } catch (error) {
      if (error instanceof RefusedError && error.code === 'step_up_required')
        return new Promise((resolve) => {
          this.waiting = () => resolve(this.run(refused, done, work))
        })
      this.trouble = await troubleOf(error, refused)
      if (isUnknown(error)) this.trouble = { ...this.trouble, remedy: 'Load this page again in a moment: it shows whether it was done.' }
      if (error instanceof RefusedError) await this.#explain(error, refused)
      return false
    } finally {
      this.busy = false
    }
  }

  /** Says which fields were refused, and shows what somebody else did first. */
  async #explain({ code, details }: RefusedError, refused: string): Promise<void> {
    if (code === 'invalid_payload' && Array.isArray(details)) this.problems = details
    if (code !== 'changed_meanwhile' || !this.trouble) return
    const remedy = 'This page shows how it stands now; what you typed is still here.'
    this.trouble = { ...this.trouble, what: `${refused} Somebody changed it meanwhile.`, remedy }
    await invalidateAll()
  }
}
