import { pages } from '@augury/client/pages'
import type { Answer, VenueClient } from '@augury/client/rest'
import { DEEPEST_SEARCH } from '@augury/wire/limits'
import { Failure, misuse } from './failure.ts'

/** A market of the exchange. */
export type Market = Answer<'getMarket'>

/** A market, and the outcome if the text named one. */
export interface Found {
  market: Market
  outcome: 0 | 1 | null
}

/** Finds a market by slug, condition id or token id. Throws a failure if there is none, or if several have the slug. */
export async function findMarket(client: VenueClient, text: string): Promise<Found> {
  if (/^0x[0-9a-f]{64}$/i.test(text)) return { market: await client.getMarket({ params: { condition_id: text } }), outcome: null }
  if (/^\d{20,}$/.test(text)) {
    const { condition_id } = await client.getMarketByToken({ params: { token_id: text } })
    const market = await client.getMarket({ params: { condition_id } })
    return { market, outcome: market.tokens[0]?.token_id === text ? 0 : 1 }
  }
  const slug = text.toLowerCase()
  const listed = await client.listCatalogueMarkets({ query: { slug: [slug] } })
  const named = listed.filter((market) => market.slug === slug).map(({ conditionId }) => conditionId)
  const [condition_id, another] = named
  if (condition_id === undefined) throw new Failure('unknown_market', `there is no market ${text}; see augury markets --search WORDS`)
  // Slugs are unique per operator only: an order must not go to another operator's market.
  if (another) {
    throw new Failure('ambiguous_market', `${named.length} markets are called ${text}: say which by its id`, 2, named)
  }
  return { market: await client.getMarket({ params: { condition_id } }), outcome: null }
}

/** Markets of the exchange, all of them or those that accept orders. */
export const everyMarket = (client: VenueClient, all: boolean): AsyncGenerator<Market, void, void> =>
  pages((next_cursor) => (all ? client.listMarkets({ query: { next_cursor } }) : client.listSamplingMarkets({ query: { next_cursor } })))

/** Ids of the markets that a search finds: the exchange finds the events, and of each those whose question or title has all the words come. */
export async function* marketsWith(client: VenueClient, q: string, all: boolean): AsyncGenerator<string, void, void> {
  const words = q.toLowerCase().split(/\s+/)
  const asked = { q, ...(all ? {} : { events_status: 'active' }), search_tags: 'false' }
  for (let page = 1, hasMore = true; hasMore && page <= DEEPEST_SEARCH; page++) {
    const { events, pagination } = await client.searchCatalogue({ query: { ...asked, page } })
    for (const { title, markets, matchedOutcome } of events) {
      const having = markets.filter(({ question }) => words.every((word) => `${question} ${title}`.toLowerCase().includes(word)))
      // Found by another form or name of a word.
      const meant = markets.filter(({ conditionId }) => !matchedOutcome || matchedOutcome.conditionId === conditionId)
      for (const { conditionId, acceptingOrders } of having.length > 0 ? having : meant) if (all || acceptingOrders) yield conditionId
    }
    hasMore = pagination.hasMore
  }
}

/** At most so many, from the beginning. */
export async function firstOf<Item>(items: AsyncIterable<Item>, most: number): Promise<Item[]> {
  const found: Item[] = []
  for await (const item of items) if (found.push(item) === most) break
  return found
}

/** The outcome of which a market was found, or that a word names; null for neither. Throws a failure when they differ. */
export function outcomeOf({ market, outcome }: Found, word: string | undefined): 0 | 1 | null {
  const named = word === undefined ? outcome : findOutcome(market, word)
  if (outcome !== null && named !== outcome) throw misuse(`this token is of the outcome ${market.tokens[outcome]!.outcome}, not ${word}`)
  return named
}

/** The outcome named by a word: a token's label, or `yes` and `no` for the first and the second. */
function findOutcome({ tokens }: Market, word: string): 0 | 1 {
  const lower = word.toLowerCase()
  const labelled = tokens.findIndex(({ outcome }) => outcome.toLowerCase() === lower)
  if (labelled !== -1) return labelled as 0 | 1
  if (lower === 'yes') return 0
  if (lower === 'no') return 1
  throw new Failure('unknown_outcome', `the market has no outcome ${word}: ${tokens.map(({ outcome }) => outcome).join(' or ')}`, 2)
}
