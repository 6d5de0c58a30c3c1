import type { PageLoad } from './$types'

/** Loads components only for the pages that need them: the book of a market, what came later, price series, members, trading. */
export const load: PageLoad = async ({ data, parent }) => {
  const { event, series, member, changes, contexts, resolutions } = await parent()
  const trades = data.mode === 'trading' && data.aimed !== null
  const isLater =
    changes.length + contexts.length > 0 || resolutions.some(({ steps }) => steps.length > 0) || event.markets.some(({ open }) => !open)
  const [marketParts, laterParts, SeriesCard, OwnCards, TradingDesk] = await Promise.all([
    data.selected !== null || trades ? import('#lib/book/market-parts.ts') : null,
    isLater ? import('#lib/event/later-parts.ts') : null,
    series ? import('#lib/event/SeriesCard.svelte') : null,
    member ? import('#lib/event/OwnCards.svelte') : null,
    trades ? import('#lib/ticket/TradingDesk.svelte') : null,
  ])
  return {
    ...data,
    marketParts: marketParts?.marketParts ?? null,
    laterParts: laterParts?.laterParts ?? null,
    SeriesCard: SeriesCard?.default ?? null,
    OwnCards: OwnCards?.default ?? null,
    TradingDesk: TradingDesk?.default ?? null,
  }
}
