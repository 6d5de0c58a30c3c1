import { mulDiv } from '@augury/units/mul-div'
import { ONE } from '@augury/units/price'
import { FILL } from './match.ts'
import type { Placement } from './placement.ts'
import type { State } from './state.ts'

/** One part of a taker's fee and whose it is. */
export interface FeePart {
  account: number
  amount: number
  reason: 'rebate' | 'affiliate'
}

/**
 * Splits the fee of a planned order: the makers' rebate by the curve weight of each maker's fills, the referrer's share, and
 * the remainder, which is the fee account's. All parts round down, so the remainder takes what rounding leaves.
 */
export function splitFee(state: State, order: Placement): { parts: FeePart[]; remainder: number } {
  const { conditions, accounts } = state
  const { condition, match } = order
  const parts = rebates(state, order, mulDiv(match.totalFee, conditions.rebateBps[condition]!, ONE))
  const referrer = accounts.referrer[order.account]!
  const affiliate = referrer === 0 ? 0 : mulDiv(match.totalFee, conditions.affiliateBps[condition]!, ONE)
  if (affiliate > 0) parts.push({ account: referrer, amount: affiliate, reason: 'affiliate' })
  return { parts, remainder: match.totalFee - parts.reduce((sum, part) => sum + part.amount, 0) }
}

function rebates(state: State, order: Placement, pool: number): FeePart[] {
  if (pool === 0) return []
  const { match } = order
  const weights = new Map<number, bigint>()
  let total = 0n
  for (let step = 0; step < match.count; step++) {
    if (match.action[step] !== FILL) continue
    const maker = match.slot[step]!
    const k = state.orders.price[maker]!
    const weight = BigInt(match.lots[step]!) * BigInt(k * (ONE - k))
    const account = state.orders.account[maker]!
    weights.set(account, (weights.get(account) ?? 0n) + weight)
    total += weight
  }
  const parts: FeePart[] = []
  for (const [account, weight] of weights) {
    const amount = Number((BigInt(pool) * weight) / total)
    if (amount > 0) parts.push({ account, amount, reason: 'rebate' })
  }
  return parts
}
