import type { Hex } from '@augury/engine/command'
import type { PlannedFill } from './naive-match.ts'
import type { NaiveCondition, NaiveState } from './naive-state.ts'

const curve = (fill: PlannedFill): bigint => BigInt(fill.lots) * BigInt(fill.price) * BigInt(10_000 - fill.price)

/** Fee of each fill: differences of the half-up rounded running sum. */
export function feesOf(condition: NaiveCondition, fills: PlannedFill[]): number[] {
  let sum = 0n
  let charged = 0n
  return fills.map((fill) => {
    sum += curve(fill) * BigInt(condition.feeBps)
    const due = (sum + 50_000_000n) / 100_000_000n
    const fee = due - charged
    charged = due
    return Number(fee)
  })
}

/** Distributes a taker's whole fee to makers, referrer and fee account. Nothing is left over. */
export function shareFee(
  state: NaiveState,
  condition: NaiveCondition,
  taker: Hex,
  feeAccount: Hex,
  fills: PlannedFill[],
  fee: number,
): void {
  const part = (bps: number) => (BigInt(fee) * BigInt(bps)) / 10_000n
  let rest = BigInt(fee)
  const rebate = part(condition.rebateBps)
  const total = fills.reduce((sum, fill) => sum + curve(fill), 0n)
  const byMaker = new Map<Hex, bigint>()
  for (const fill of fills) byMaker.set(fill.maker.place.account, (byMaker.get(fill.maker.place.account) ?? 0n) + curve(fill))
  for (const [maker, weight] of byMaker) {
    const share = total === 0n ? 0n : (rebate * weight) / total
    rest -= share
    state.pay(maker, Number(share), 'rebate')
  }
  const { referrer } = state.account(taker)
  if (referrer) {
    const share = part(condition.affiliateBps)
    rest -= share
    state.pay(referrer, Number(share), 'affiliate')
  }
  state.pay(feeAccount, Number(rest), 'fee')
}
