import MarketBook from './MarketBook.svelte'
import MarketTape from './MarketTape.svelte'

/** What an unfolded market shows: one file, loaded by the pages that have one. */
export const marketParts = { MarketBook, MarketTape }
