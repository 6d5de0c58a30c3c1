import type { PageLoad } from './$types'

/** Loads components only for the pages that need them: price series, changes, context, resolution, result, members, trading. */
export const load: PageLoad = async ({ data, parent }) => {
  const { event, series, member, changes, contexts, resolutions, own } = await parent()
  const [SeriesCard, OwnCards, ChangeLog, MarketContext, ResolutionLog, EventVerdict, OwnVerdict, TradingDesk] = await Promise.all([
    series ? import('#lib/event/SeriesCard.svelte') : null,
    member ? import('#lib/event/OwnCards.svelte') : null,
    changes.length > 0 ? import('#lib/event/ChangeLog.svelte') : null,
    contexts.length > 0 ? import('#lib/event/MarketContext.svelte') : null,
    resolutions.some(({ steps }) => steps.length > 0) ? import('#lib/event/ResolutionLog.svelte') : null,
    event.markets.every(({ open }) => open) ? null : import('#lib/event/EventVerdict.svelte'),
    own?.result ? import('#lib/event/OwnVerdict.svelte') : null,
    data.mode === 'trading' && data.aimed !== null ? import('#lib/ticket/TradingDesk.svelte') : null,
  ])
  return {
    ...data,
    SeriesCard: SeriesCard?.default ?? null,
    OwnCards: OwnCards?.default ?? null,
    ChangeLog: ChangeLog?.default ?? null,
    MarketContext: MarketContext?.default ?? null,
    ResolutionLog: ResolutionLog?.default ?? null,
    EventVerdict: EventVerdict?.default ?? null,
    OwnVerdict: OwnVerdict?.default ?? null,
    TradingDesk: TradingDesk?.default ?? null,
  }
}
