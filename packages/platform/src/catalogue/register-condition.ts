import { RefusedError } from '@augury/client/answer'
import type { VenueClient } from '@augury/client/rest'
import type { ConditionRequest } from '@augury/wire/condition-request'

/** Registers a condition of this id on the exchange as its operator, not open for trading where its event is paused. Idempotent. */
export type RegisterCondition = (request: ConditionRequest, id: string, isPaused: boolean) => Promise<{ condition_id: string }>

type Exchange = Pick<VenueClient, 'registerCondition' | 'getMarket' | 'patchCondition'>

/** Registers conditions by a client of the exchange. */
export const registering =
  (operator: () => Promise<{ exchange: Exchange }>): RegisterCondition =>
  async (request, id, isPaused) => {
    const { exchange } = await operator()
    const registered = await exchange.registerCondition({ body: request }).catch((error) => adopt(exchange, request, id, error))
    if (isPaused) await exchange.patchCondition({ params: { id }, body: { mode: 'paused' } })
    return registered
  }

/**
 * A condition whose answer was lost and whose texts were changed here since gets the current texts. Throws the refusal where it is another
 * question altogether.
 */
async function adopt(exchange: Exchange, request: ConditionRequest, id: string, refusal: unknown): Promise<{ condition_id: string }> {
  if (!(refusal instanceof RefusedError && refusal.code === 'condition_exists')) throw refusal
  const { condition_id, tokens, neg_risk } = await exchange.getMarket({ params: { condition_id: id } })
  const isSame = tokens.every(({ outcome }, index) => outcome === request.outcomes[index]) && neg_risk === Boolean(request.neg_risk_event)
  if (!isSame) throw refusal
  await exchange.patchCondition({ params: { id }, body: { metadata: request.metadata } })
  return { condition_id }
}
