import { m } from '#lib/paraglide/messages.js'

/** Texts of an error page. */
export interface FailureWords {
  title: string
  text: string
}

/** Texts for a status. `own` is the page's own message in the reader's language, or empty. */
export function failureWords(status: number, own = ''): FailureWords {
  if (status >= 500) return { title: m.error_failed(), text: m.error_calm() }
  if (status === 429) return { title: m.error_busy(), text: m.error_busy_about() }
  if (status === 404) return { title: m.error_missing(), text: own || m.error_address() }
  if (status === 401 || status === 403) return { title: m.error_closed(), text: own || m.error_closed_about() }
  return { title: m.error_refused(), text: own || m.error_odd() }
}
