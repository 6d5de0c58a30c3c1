import type { PageLoad } from './$types'

/** Parts of the page that only some have are loaded with theirs: events about a price or that were changed, whoever is signed in, whoever trades. */
export const load: PageLoad = async ({ data, parent }) => {
  const { series, member, changes } = await parent()
  const [SeriesCard, OwnCards, ChangeLog, TradingDesk] = await Promise.all([
    series ? import('#lib/components/SeriesCard.svelte') : null,
    member ? import('#lib/components/OwnCards.svelte') : null,
    changes.length > 0 ? import('#lib/components/ChangeLog.svelte') : null,
    data.mode === 'trading' && data.aimed !== null ? import('#lib/components/TradingDesk.svelte') : null,
  ])
  return {
    ...data,
    SeriesCard: SeriesCard?.default ?? null,
    OwnCards: OwnCards?.default ?? null,
    ChangeLog: ChangeLog?.default ?? null,
    TradingDesk: TradingDesk?.default ?? null,
  }
}
