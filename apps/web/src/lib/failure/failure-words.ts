import { m } from '#lib/paraglide/messages.js'

/** What happened, and what it means for whoever wanted to see a page. */
export interface FailureWords {
  title: string
  text: string
}

/** The words of a status. `own` is what the page itself said of it, in the reader's language; empty where it said nothing. */
export function failureWords(status: number, own = ''): FailureWords {
  if (status >= 500) return { title: m.error_failed(), text: m.error_calm() }
  if (status === 404) return { title: m.error_missing(), text: own || m.error_address() }
  if (status === 401 || status === 403) return { title: m.error_closed(), text: own || m.error_closed_about() }
  return { title: m.error_refused(), text: own || m.error_odd() }
}
