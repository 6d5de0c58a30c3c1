import type { Refusal, Refused as RefusedCommand } from '@augury/engine/event'
import type { ConditionView } from '@augury/engine/views'
import { formatLots, formatPrice, formatUsdc } from '@augury/units/decimal'
import { MICROS_PER_LOT } from '@augury/units/lots'
import { ONE } from '@augury/units/price'
import { type Refused, ServiceError } from '@augury/wire/service-error'
import type { Result } from '../../record/log/applied-row.ts'
import { withoutDatabase } from './database-away.ts'

/** Values for a refusal's text, and extra fields for its body. */
type Facts = Pick<Refused, 'values' | 'extras'>

/** The engine's refusal as a ServiceError. Lack of funds carries the amounts, in millionths. */
export function refusalOf({ code, details }: RefusedCommand, facts: Facts = {}): ServiceError {
  if (!details) return new ServiceError(code satisfies Refusal, facts)
  const micros = code === 'insufficient_shares' ? MICROS_PER_LOT : 1
  const amounts = {
    available: String(details.available * micros),
    reserved: String(details.reserved * micros),
    required: String(details.required * micros),
  }
  const balance = String((details.available + details.reserved) * micros) // established clients subtract the reserved amount themselves
  return new ServiceError(code, { ...facts, values: { ...amounts, balance, ...facts.values }, details: amounts })
}

/** The limits of a market that the text of a refusal names; `lotPrice` is the price of one lot in millionths, for an order by amount. */
export function limitsOf(code: Refusal, condition: ConditionView | null, lotPrice = 0): Record<string, string> {
  if (!condition) return {}
  const tick = formatPrice(condition.grid)
  if (code === 'size_too_small') return { tick, min: formatLots(condition.minLots) }
  if (code === 'amount_too_small') return { tick, min: `$${formatUsdc(Math.max(condition.minNotional, lotPrice))}` }
  return { tick, min: tick, max: formatPrice(ONE - condition.grid) }
}

/** The refusal that an error is, for one part of a request whose other parts stand. Throws a bug, or that the outcome is unknown. */
export function partRefusal(error: unknown): ServiceError {
  const refusal = withoutDatabase(error)
  if (refusal instanceof ServiceError) return refusal
  throw error
}

/** Returns a result unless its first event, which is the answer, is a refusal: then throws it. */
export function accepted(result: Result): Result {
  const answer = result.events[0]
  if (answer?.type === 'refused') throw refusalOf(answer)
  return result
}
