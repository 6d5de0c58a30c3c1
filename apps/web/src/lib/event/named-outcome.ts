import { chance } from '#lib/language/numbers.ts'
import { m } from '#lib/paraglide/messages.js'
import type { MarketView } from './event-view.ts'

/** A chance for pictures and cards that stand alone, where a dash would say nothing to a reader. */
export const chanceSaid = (percent: number | null): string => (percent === null ? m.no_price_yet() : chance(percent))

interface Named {
  name: string
  outcomes: readonly [string, string]
}

/** The name of an outcome by itself: that of the market, which says which one where it is not Yes; of an event's only market, its own. */
export const outcomeSaid = ({ name, outcomes }: Named, { single, shown }: { single: boolean; shown: 0 | 1 }): string =>
  single ? outcomes[shown] : shown === 0 ? name : `${name} (${outcomes[1]})`

/** The title of what a link names: an event, or one of its outcomes. Yes of an event's only market is what the event's title asks. */
export function titleSaid(title: string, named: Named | null, given: { single: boolean; shown: 0 | 1 }): string {
  if (!named || (given.single && given.shown === 0)) return title
  return `${outcomeSaid(named, given)} · ${title}`
}

/** The outcome that a link names, with its chance, for descriptions of the page; null without a price, and once the market is resolved. */
export function namedOutcome(
  { result, ...named }: Pick<MarketView, 'name' | 'outcomes' | 'result'>,
  percent: number | null,
  given: { single: boolean; shown: 0 | 1 },
): { name: string; chance: string } | null {
  if (percent === null || result !== null) return null
  return { name: outcomeSaid(named, given), chance: chance(given.shown === 0 ? percent : 100 - percent) }
}
