import { NoAnswerError, RefusedError } from '@augury/client/answer'
import { m } from './paraglide/messages.js'

/** What went wrong, as a person needs to hear it. */
export interface Trouble {
  /** What failed, and why. */
  what: string
  /** Whether money moved. */
  money: string
  /** What to do now. */
  remedy: string
  /** What a person quotes when asking for help. */
  requestId: string | null
}

/** Reads an error of a call: `what` names what was tried ("The order was not placed."). Anything that is none of ours is thrown on. */
export async function troubleOf(error: unknown, what: string): Promise<Trouble> {
  if (error instanceof NoAnswerError) {
    return {
      what: m.trouble_no_answer(),
      money: m.trouble_unknown(),
      remedy: m.trouble_look(),
      requestId: null,
    }
  }
  if (!(error instanceof RefusedError)) throw error
  // Most pages never need the words.
  const { troubleWords } = await import('./trouble-words.ts')
  const words = error.code === undefined ? undefined : troubleWords[error.code]
  const requestId = typeof error.body.request_id === 'string' ? error.body.request_id : null
  // A failure that is no refusal happened anywhere on the way: before what was asked for, or after.
  const failed = error.code === undefined && error.status >= 500
  if (failed || error.code === 'outcome_unknown')
    return {
      what: words ? words.why() : m.trouble_no_answer(),
      money: m.trouble_unknown(),
      remedy: words ? words.remedy() : m.trouble_look(),
      requestId,
    }
  return {
    what: `${what} ${words ? words.why() : sentence(error.message)}`,
    money: m.trouble_no_money(),
    remedy: words ? words.remedy() : error.status >= 500 ? m.trouble_later() : m.trouble_change(),
    requestId,
  }
}

const sentence = (text: string) => `${text[0]?.toUpperCase() ?? ''}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`
