import { BadAnswerError, RefusedError } from '@augury/client/answer'
import { ServiceError } from '@augury/wire/service-error'
import { asRefusal } from '../trading/exchange-refusals.ts'

/**
 * What the exchange answers to something that may be asked twice. No answer, or one that makes no sense, is `service_unavailable`: the
 * admin asks again. What it refuses is refused in its own words.
 *
 * It is asked within the transaction that records the action, on purpose: the lock on the row keeps what two admins want in the same order here and there, and
 * what is refused there is not written here. The price is one connection, and one row, for as long as the client waits for an answer.
 */
export async function askExchange<Answer>(question: Promise<Answer>): Promise<Answer> {
  try {
    return await question
  } catch (error) {
    if (error instanceof BadAnswerError) throw new ServiceError('service_unavailable', { retryAfter: 5, cause: error })
    const refusal = asRefusal(error, false)
    if (refusal instanceof ServiceError || !(error instanceof RefusedError)) throw refusal
    throw new ServiceError('service_unavailable', { text: `The exchange refused: ${error.message}`, retryAfter: 5, cause: error })
  }
}

/** Questions that are on their way to the exchange at once. */
const AT_ONCE = 8

/**
 * Asks something about each item that may be asked twice, as `askExchange` does, several at once: an event of two hundred markets stops as
 * soon as one of two. After a failure nothing further is asked, and nothing is on its way any more.
 */
export async function askOfEach<Item>(items: readonly Item[], ask: (item: Item) => Promise<unknown>): Promise<void> {
  for (let first = 0; first < items.length; first += AT_ONCE) {
    const asked = await Promise.allSettled(items.slice(first, first + AT_ONCE).map((item) => askExchange(ask(item))))
    const failed = asked.find((each) => each.status === 'rejected')
    if (failed) throw failed.reason
  }
}
