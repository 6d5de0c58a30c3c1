import { NoAnswerError, RefusedError } from '@augury/client/answer'
import { m } from '#lib/paraglide/messages.js'
import type { Way } from './trouble-ways.ts'

/** An error for display. */
export interface Trouble {
  /** What failed and why. */
  what: string
  /** Whether money moved. */
  money: string
  /** What to do now. */
  remedy: string
  /** Id to quote when asking for help. */
  requestId: string | null
  /** Link to the step that is missing. */
  way?: Way
}

/**
 * Reads an error of a call: `what` says that it was not done ("The order was not placed."). `perhaps` says that the outcome is unknown,
 * for what may be tried again because it is done once at most. A wallet that said no has its own words. Anything that is none of ours is
 * thrown on.
 */
export async function troubleOf(error: unknown, what: string, perhaps?: string): Promise<Trouble> {
  if (error instanceof NoAnswerError) return undecided(m.trouble_no_answer(), null, perhaps)
  if (error instanceof Error && error.name === 'WalletDeclined')
    return { what: `${what} ${error.message}`, money: m.trouble_no_money(), remedy: '', requestId: null }
  if (!(error instanceof RefusedError)) throw error
  // Loaded on demand, as most pages never need them.
  const [{ troubleWords }, { wayOf }] = await Promise.all([import('./trouble-words.ts'), import('./trouble-ways.ts')])
  const words = error.code === undefined ? undefined : troubleWords[error.code]
  const requestId = typeof error.body.request_id === 'string' ? error.body.request_id : null
  if (isUnknown(error)) return undecided(words ? words.why() : m.trouble_no_answer(), requestId, perhaps)
  return {
    what: `${what} ${words ? words.why() : sentence(error.message)}`,
    money: m.trouble_no_money(),
    remedy: words ? words.remedy(error) : error.status >= 500 ? m.trouble_later() : m.trouble_change(),
    requestId,
    way: wayOf(error.code, globalThis.location ? location.pathname + location.search : '/'),
  }
}

/** Whether the outcome of a call is unknown: any failure other than a refusal may have happened before or after it was executed. */
export const isUnknown = (error: unknown): boolean =>
  error instanceof NoAnswerError ||
  (error instanceof RefusedError && (error.code === 'outcome_unknown' || (error.code === undefined && error.status >= 500)))

/** The error for an unknown outcome: it should be looked up before a retry, or retried if that is safe. */
const undecided = (why: string, requestId: string | null, perhaps?: string): Trouble =>
  perhaps === undefined
    ? { what: why, money: m.trouble_unknown(), remedy: m.trouble_look(), requestId }
    : { what: `${why} ${perhaps}`, money: m.trouble_once(), remedy: m.trouble_later(), requestId }

const sentence = (text: string) => `${text[0]?.toUpperCase() ?? ''}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`
