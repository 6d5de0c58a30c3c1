import type { PageLoad } from './$types'

/** Parts of the page that only some have are loaded with theirs: events about a price, whoever is signed in, whoever trades. */
export const load: PageLoad = async ({ data, parent }) => {
  const { series, member } = await parent()
  const [SeriesCard, OwnCards, TradingDesk] = await Promise.all([
    series ? import('#lib/components/SeriesCard.svelte') : null,
    member ? import('#lib/components/OwnCards.svelte') : null,
    data.mode === 'trading' && data.aimed !== null ? import('#lib/components/TradingDesk.svelte') : null,
  ])
  return {
    ...data,
    SeriesCard: SeriesCard?.default ?? null,
    OwnCards: OwnCards?.default ?? null,
    TradingDesk: TradingDesk?.default ?? null,
  }
}
