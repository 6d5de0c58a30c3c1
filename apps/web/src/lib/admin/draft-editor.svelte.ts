import { RefusedError } from '@augury/client/answer'
import type { Output } from '@augury/wire/operation'
import type { adminCreationOperations } from '@augury/wire/platform/admin-creation'
import type { DraftCheck, DraftContent } from '@augury/wire/platform/draft'
import { siteMutation } from '#lib/failure/site-call.ts'
import { isUnknown, type Trouble, troubleOf } from '#lib/failure/trouble.ts'
import { type Problem, problemsOf } from './problems.ts'

export type Draft = Output<typeof adminCreationOperations.adminDraft>['data']

/** Milliseconds without input after which a draft is saved, and after a save that got no answer. */
const REST = 700
const AGAIN = 5_000

/** A draft being edited: saved after a pause, one save at a time, never over another admin's changes. */
export class DraftEditor {
  readonly id: string
  content = $state() as DraftContent
  checks = $state.raw<readonly DraftCheck[]>([])
  ready = $state(false)
  state = $state<'saved' | 'waiting' | 'saving' | 'stopped'>('saved')
  trouble = $state.raw<Trouble | null>(null)
  /** Fields that keep the draft from being saved. */
  problems = $state.raw<readonly Problem[]>([])
  #revision: number
  #timer: ReturnType<typeof setTimeout> | undefined
  #saving: Promise<void> = Promise.resolve()
  /** What was sent and not answered: it may have been saved. */
  #unanswered: DraftContent | null = null

  constructor(draft: Draft, { ready, checks }: { ready: boolean; checks: readonly DraftCheck[] }) {
    this.id = draft.id
    this.content = draft.content
    this.#revision = draft.revision
    this.ready = ready
    this.checks = checks
  }

  /** Call after input. */
  touched(): void {
    if (this.state === 'stopped') return
    this.state = 'waiting'
    this.#saveIn(REST)
  }

  /** Saves nothing any more. */
  stop(): void {
    clearTimeout(this.#timer)
    this.state = 'stopped'
  }

  #saveIn(milliseconds: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.save(), milliseconds)
  }

  /** Saves and checks the draft; resolves when both are done. */
  save(): Promise<void> {
    clearTimeout(this.#timer)
    this.#saving = this.#saving.then(() => this.#save())
    return this.#saving
  }

  async #save(): Promise<void> {
    if (this.state === 'stopped' || this.state === 'saved') return
    this.state = 'saving'
    try {
      // Sends the unanswered save again first: otherwise it would look like another admin's.
      if (this.#unanswered) await this.#send(this.#unanswered)
      await this.#send($state.snapshot(this.content) as DraftContent)
      this.trouble = null
      this.problems = []
      const { data: looked } = await siteMutation('adminCheckDraft', { params: { id: this.id } })
      this.checks = looked.checks
      this.ready = looked.ready
      // Edited meanwhile: another save follows.
      if (this.state === 'saving') this.state = 'saved'
    } catch (error) {
      this.trouble = await troubleOf(error, 'The draft was not saved.')
      this.problems = problemsOf(error).map(({ path, problem }) => ({ path: path.replace(/^content\./, ''), problem }))
      const isOver = error instanceof RefusedError && ['changed_meanwhile', 'draft_published', 'draft_not_found'].includes(error.code ?? '')
      this.state = isOver ? 'stopped' : 'waiting'
      if (isUnknown(error)) this.#saveIn(AGAIN)
    }
  }

  async #send(content: DraftContent): Promise<void> {
    this.#unanswered = content
    try {
      const { data } = await siteMutation('adminSaveDraft', { params: { id: this.id }, body: { content, revision: this.#revision } })
      this.#revision = data.revision
      this.#unanswered = null
    } catch (error) {
      if (!isUnknown(error)) this.#unanswered = null
      throw error
    }
  }
}
