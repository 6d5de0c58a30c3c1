import { chance } from '#lib/language/numbers.ts'
import type { MarketView } from './event-view.ts'

/** The outcome that a link names, with its chance, for descriptions of the page; null without a price, and once the market is resolved. */
export function namedOutcome(
  { name, outcomes, result }: Pick<MarketView, 'name' | 'outcomes' | 'result'>,
  percent: number | null,
  { single, shown }: { single: boolean; shown: 0 | 1 },
): { name: string; chance: string } | null {
  if (percent === null || result !== null) return null
  const whole = shown === 0 ? name : `${name} (${outcomes[1]})`
  return { name: single ? outcomes[shown] : whole, chance: chance(shown === 0 ? percent : 100 - percent) }
}
