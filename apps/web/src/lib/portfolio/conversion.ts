import type { Position } from '@augury/wire/data'
import type { Event } from '@augury/wire/platform/event'

/** What comes out of a conversion: Yes shares of `gets` and `money`, in USDC; what was given and what comes are worth, null without a price. */
export interface Conversion {
  before: number | null
  after: number | null
  money: number
  gets: { slug: string; name: string; picture: string }[]
}

const LOTS_OF_ONE = 100

/**
 * Previews the conversion of `lots` No shares of each of some markets of an event whose answers exclude each other: Yes shares of all other open
 * answers, and a dollar a share for each market but one. Worth at the displayed prices.
 */
export function previewConversion(event: Pick<Event, 'markets'>, given: readonly Position[], lots: number): Conversion {
  const shares = lots / LOTS_OF_ONE
  const from = new Set(given.map(({ conditionId }) => conditionId.toLowerCase()))
  const others = event.markets.filter(({ condition_id, is_resolved }) => !is_resolved && !from.has(condition_id.toLowerCase()))
  const money = shares * Math.max(0, given.length - 1)
  const prices = others.map(({ probability }) => probability)
  return {
    before: given.some(({ curPrice }) => curPrice === null) ? null : given.reduce((sum, { curPrice }) => sum + (curPrice ?? 0) * shares, 0),
    after: prices.includes(null) ? null : prices.reduce<number>((sum, percent) => sum + ((percent ?? 0) / 100) * shares, money),
    money,
    gets: others
      .toSorted((a, b) => (b.probability ?? -1) - (a.probability ?? -1))
      .map(({ slug, short_title, title, picture }) => ({ slug, name: short_title || title, picture })),
  }
}
