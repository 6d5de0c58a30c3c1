import { BadAnswerError, RefusedError } from '@augury/client/answer'
import { ServiceError } from '@augury/wire/service-error'
import { asRefusal } from '../exchange/exchange-refusals.ts'

/**
 * Awaits the answer to an idempotent request to the exchange. No answer, or a malformed one, becomes `service_unavailable`: the admin tries
 * again. A refusal keeps the exchange's text.
 *
 * Called within the transaction that records the action, on purpose: its row lock keeps concurrent actions in the same order here and on
 * the exchange, and what the exchange refuses is not recorded. The price is a connection and a locked row for as long as the answer takes.
 */
export async function askExchange<Answer>(question: Promise<Answer>): Promise<Answer> {
  try {
    return await question
  } catch (error) {
    if (error instanceof BadAnswerError) throw new ServiceError('service_unavailable', { retryAfter: 5, cause: error })
    if (error instanceof RefusedError && error.code === 'insufficient_scope')
      throw new ServiceError(error.code, { text: NOT_OURS, cause: error })
    const refusal = asRefusal(error, false)
    if (refusal instanceof ServiceError || !(error instanceof RefusedError)) throw refusal
    throw new ServiceError('service_unavailable', { text: `The exchange refused: ${error.message}`, retryAfter: 5, cause: error })
  }
}

/** Concurrent requests to the exchange. */
const AT_ONCE = 8

/** For `insufficient_scope`: admins know nothing of API keys, so the text names the deployment's wallet. */
const NOT_OURS =
  'The exchange does not let the wallet of this site do that. The operator of the exchange has to name it in VENUE_ADDRESSES, or in OPERATOR_ADDRESSES for its own markets.'

/**
 * Sends an idempotent request for each item, several at once, as `askExchange` does. After a failure no further request is sent, and none
 * is in flight. `between` runs after each batch, for callers whose open transaction must not stay idle until the end.
 */
export async function askExchangeForEach<Item>(
  items: readonly Item[],
  ask: (item: Item) => Promise<unknown>,
  between: () => Promise<unknown> = async () => {},
): Promise<void> {
  for (let first = 0; first < items.length; first += AT_ONCE) {
    const asked = await Promise.allSettled(items.slice(first, first + AT_ONCE).map((item) => askExchange(ask(item))))
    const failed = asked.find((each) => each.status === 'rejected')
    if (failed) throw failed.reason
    await between()
  }
}
