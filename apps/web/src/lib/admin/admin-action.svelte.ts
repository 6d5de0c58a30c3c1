import { RefusedError } from '@augury/client/answer'
import { refreshAnswered } from '#lib/failure/refresh-answered.ts'
import { isUnknown, type Trouble, troubleOf } from '#lib/failure/trouble.ts'
import { m } from '#lib/paraglide/messages.js'
import { heldFocus } from '#lib/parts/focus.ts'
import { type Problem, problemsOf } from './problems.ts'

/** A confirmation before an action that is irreversible or affects others at once. */
export interface Question {
  title: string
  /** Its consequences. */
  about: string
  /** Label of the confirming button. */
  act: string
  /** Label of an optional note that is stored with the action. */
  why?: string
}

/** State of an admin's action: whether it is running, its error, and whether it waits for a fresh proof. */
export class AdminAction {
  busy = $state(false)
  /** Message of success, until the next attempt. */
  done = $state('')
  trouble = $state.raw<Trouble | null>(null)
  /** Refused fields, if the refusal named any. */
  problems = $state.raw<readonly Problem[]>([])
  /** Continues after a fresh proof; null unless waiting for one. */
  waiting = $state.raw<(() => void) | null>(null)
  /** The open confirmation and its action; null if there is none. */
  asking = $state.raw<(Question & { go: () => unknown }) | null>(null)
  /** Note written in the confirmation. */
  note = $state('')

  /** Runs `go` after a confirmation. */
  ask(question: Question, go: () => unknown): void {
    this.note = ''
    this.asking = { ...question, go }
  }

  /**
   * Runs the action and reloads the page's data. `refused` is the message of failure ("The settings were not saved."), `done` that of success.
   * Resolves with whether it succeeded, if necessary after a fresh proof.
   */
  async run(refused: string, done: string, work: () => Promise<unknown>): Promise<boolean> {
    const giveBack = heldFocus()
    this.busy = true
    this.trouble = null
    this.problems = []
    this.done = ''
    try {
      await work()
      this.done = done
      await refreshAnswered()
      return true
    } catch (error) {
      if (error instanceof RefusedError && error.code === 'step_up_required') {
        this.busy = false
        await giveBack() // now, as the dialog gives it back to what had it when it opened
        return new Promise((resolve) => {
          this.waiting = () => resolve(this.run(refused, done, work))
        })
      }
      this.trouble = await troubleOf(error, refused)
      if (isUnknown(error)) this.trouble = { ...this.trouble, remedy: m.trouble_reload() }
      this.problems = problemsOf(error)
      if (error instanceof RefusedError && error.code === 'changed_meanwhile') await this.#explain(refused)
      return false
    } finally {
      this.busy = false
      void giveBack()
    }
  }

  /** Loads and shows another admin's earlier change. */
  async #explain(refused: string): Promise<void> {
    if (!this.trouble) return
    const remedy = 'This page shows how it stands now; what you typed is still here.'
    this.trouble = { ...this.trouble, what: `${refused} It was changed meanwhile.`, remedy }
    await refreshAnswered()
  }
}
