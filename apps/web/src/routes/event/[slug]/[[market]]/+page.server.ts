import { error } from '@sveltejs/kit'
import { readPanel, readTerms } from '#lib/server/exchange.ts'
import type { PageServerLoad } from './$types'

/** The book and the trades of one market: the one in the address, or the only one there is; and what a ticket has to know of the one it is aimed at. */
export const load: PageServerLoad = async ({ locals: { exchange }, params, parent }) => {
  const { event } = await parent()
  const only = event.markets.length === 1 ? event.markets[0] : undefined
  const market = params.market === undefined ? only : event.markets.find(({ slug }) => slug === params.market)
  if (params.market !== undefined && !market) error(404, 'This event has no such market.')
  const aimed = market ?? event.markets.find(({ open }) => open)
  const [panel, terms] = await Promise.all([market ? readPanel(exchange, market) : null, aimed?.open ? readTerms(exchange, aimed) : null])
  return { selected: market?.slug ?? null, aimed: aimed?.slug ?? null, panel, terms }
}
