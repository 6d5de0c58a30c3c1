import { isOrderOfEvents } from '@augury/wire/platform/admin-categories'
import { plain, plainLine } from '../outbound/plain-text.ts'
import type { Listing } from './listing.ts'

/** A listing with its texts and categories as they are shown. Everything that is stored comes through here, from any author. */
export const shownListing = (listing: Listing): Listing => ({
  ...listing,
  title: plainLine(listing.title, 400),
  tags: listing.tags.filter(({ slug }) => !isOrderOfEvents(slug)).map(({ slug, label }) => ({ slug, label: plainLine(label, 80) || slug })),
  rules: plain(listing.rules, 20_000),
  markets: listing.markets.map((market) => ({
    ...market,
    question: plainLine(market.question, 1000),
    shortTitle: plainLine(market.shortTitle, 200),
    outcomes: [plainLine(market.outcomes[0], 100), plainLine(market.outcomes[1], 100)],
    rules: plain(market.rules, 20_000),
    ...(market.resolutionSource === undefined ? {} : { resolutionSource: plainLine(market.resolutionSource, 500) }),
  })),
})
