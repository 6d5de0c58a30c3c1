import type { Event, Refusal } from '@augury/engine/event'
import type { ConditionView } from '@augury/engine/views'
import { formatLots, formatPrice, formatUsdc } from '@augury/units/decimal'
import { MICROS_PER_LOT } from '@augury/units/lots'
import { ONE } from '@augury/units/price'
import { type Refused, ServiceError } from '@augury/wire/service-error'
import type { Result } from './venue.ts'

/** Facts that a detailed text or a body may need. */
type Facts = Pick<Refused, 'values' | 'extras'>

/** The refusal of the engine as the outside hears it. Lack of funds names what there is, in millionths. */
export function refusalOf({ code, details }: Extract<Event, { type: 'refused' }>, facts: Facts = {}): ServiceError {
  if (!details) return new ServiceError(code satisfies Refusal, facts)
  const micros = code === 'insufficient_shares' ? MICROS_PER_LOT : 1
  const amounts = {
    available: String(details.available * micros),
    reserved: String(details.reserved * micros),
    required: String(details.required * micros),
  }
  const balance = String((details.available + details.reserved) * micros) // as established clients read it: what is left is it less the orders
  return new ServiceError(code, { ...facts, values: { ...amounts, balance, ...facts.values }, details: amounts })
}

/** What a market allows, as the sentence of a refusal names it; `lotPrice` is what the least that an order by amount can buy costs. */
export function limitsOf(code: Refusal, condition: ConditionView | null, lotPrice = 0): Record<string, string> {
  if (!condition) return {}
  const tick = formatPrice(condition.grid)
  if (code === 'size_too_small') return { tick, min: formatLots(condition.minLots) }
  if (code === 'amount_too_small') return { tick, min: `$${formatUsdc(Math.max(condition.minNotional, lotPrice))}` }
  return { tick, min: tick, max: formatPrice(ONE - condition.grid) }
}

/** The first event of a command is its answer: throws when that is a refusal. */
export function accepted(result: Result, facts: Facts = {}): Result {
  const answer = result.events[0]
  if (answer?.type === 'refused') throw refusalOf(answer, facts)
  return result
}
