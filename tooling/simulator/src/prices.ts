import type { Outcome, Side } from '@augury/engine/command'
import type { Prng } from '@augury/testing/prng'
import type { PricePolicy } from './swarm.ts'
import type { KnownCondition } from './workload.ts'

/** How far prices lie from the middle, in steps, and by how much the two sides overlap. */
const SHAPES: Record<PricePolicy, { spread: number; overlap: number; drift: number }> = {
  tight: { spread: 120, overlap: 60, drift: 0 },
  wide: { spread: 4900, overlap: 400, drift: 0 },
  one_tick: { spread: 0, overlap: 1, drift: 0 },
  trending: { spread: 300, overlap: 150, drift: 8 },
  crossing: { spread: 500, overlap: 500, drift: 0 },
  one_price: { spread: 0, overlap: 0, drift: 0 },
}

/** A limit price on the condition's grid, in steps of the order's own token. */
export function drawPrice(random: Prng, policy: PricePolicy, condition: KnownCondition, outcome: Outcome, side: Side): number {
  const { spread, overlap, drift } = SHAPES[policy]
  if (drift > 0) condition.trend = Math.min(9_900, Math.max(100, condition.trend + random.integer(-drift, drift + 1)))
  const bid = (side === 'BUY') === (outcome === 0)
  const away = random.unit() * (spread + overlap) - overlap
  const one = policy === 'one_tick' && random.chance(0.5) ? condition.grid : 0
  const yes = condition.trend + (bid ? -away - one : away)
  const { grid } = condition
  const onGrid = Math.min(10_000 - grid, Math.max(grid, Math.round(yes / grid) * grid))
  return outcome === 0 ? onGrid : 10_000 - onGrid
}
