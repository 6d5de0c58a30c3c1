import { RefusedError } from '@augury/client/answer'
import type { ThemeTokens } from '@augury/wire/platform/theme'
import { siteMutation } from '#lib/failure/site-call.ts'
import { isUnknown } from '#lib/failure/trouble.ts'

interface Content {
  name: string
  tokens: ThemeTokens
}

/** A theme that is edited, as the site keeps it: saved once although an answer was lost, and not over what another admin saved meanwhile. */
export class ThemeDraft {
  /** Null before it was kept. */
  id = $state<string | null>(null)
  /** The id that it gets when it is kept: a lost answer leaves no second one behind. */
  #ref = crypto.randomUUID()
  /** As it was read or saved last; null once another admin saved it. */
  #seen: Content | null = null
  /** What was sent and not answered: it may have been saved. */
  #unanswered: Content | null = null
  readonly #shown: () => readonly (Content & { id: string })[]

  /** `shown`: the drafts and versions as the page shows them now. */
  constructor(shown: () => readonly (Content & { id: string })[]) {
    this.#shown = shown
  }

  /** Goes on with a draft that was read as `content`, or with a new one. */
  edit(id: string | null, content: Content | null = null): void {
    this.id = id
    this.#ref = crypto.randomUUID()
    this.#seen = content
    this.#unanswered = null
  }

  /** Keeps the draft; resolves to its id. Throws as siteMutation does. */
  async save(content: Content): Promise<string> {
    // Sends the unanswered save again first: otherwise it would look like another admin's.
    if (this.#unanswered) await this.#send(this.#unanswered)
    return this.#send(content)
  }

  async #send(content: Content): Promise<string> {
    this.#unanswered = content
    try {
      const { data: saved } = await this.#mutation(content)
      this.id = saved.id
      this.#seen = { name: saved.name, tokens: saved.tokens }
      this.#unanswered = null
      return saved.id
    } catch (error) {
      if (!isUnknown(error)) this.#unanswered = null
      if (error instanceof RefusedError && error.code === 'changed_meanwhile') this.#seen = null
      if (error instanceof RefusedError && error.code === 'theme_not_found') this.edit(null)
      throw error
    }
  }

  #mutation(content: Content) {
    const { id } = this
    if (id === null) return siteMutation('adminAddTheme', { body: { ...content, ref: this.#ref } })
    const standing = this.#shown().find((theme) => theme.id === id)
    const seen = this.#seen ?? (standing && { name: standing.name, tokens: standing.tokens })
    return siteMutation('adminSaveTheme', { params: { id }, body: { ...content, seen } })
  }
}
