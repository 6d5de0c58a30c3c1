import type { Position } from '@augury/wire/data'

/** What can be done with a position besides selling it. */
export type PositionAct = 'split' | 'merge' | 'convert' | 'share' | 'claim'

/** What can be done with a position: of a decided one its payout is claimed, and No shares of answers that exclude each other are converted. */
export function actsOf({ redeemable, mergeable, negativeRisk, outcomeIndex, currentValue }: Position): PositionAct[] {
  if (redeemable) return currentValue > 0 ? ['claim', 'share'] : ['share']
  return [
    ...(negativeRisk && outcomeIndex === 1 ? (['convert'] as const) : []),
    ...(mergeable ? (['merge'] as const) : []),
    'split',
    'share',
  ]
}
