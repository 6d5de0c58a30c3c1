import type { VenueClient } from '@augury/client/rest'
import { loadPeople } from '@augury/platform/account/people'
import { hiddenAmong } from '@augury/platform/events/event-by-slug'
import { pictureIn, picturesOfMarkets } from '@augury/platform/pictures/market-pictures'
import type { Platform } from '@augury/platform/site/platform'
import { type TapeRow, tapeRow } from '#lib/people/tape.ts'
import { withFallback } from './exchange.ts'

/** Query of a list of trades: of one person, with a minimum value in USDC, after a cursor. */
export interface TapeQuery {
  user?: string
  min_usdc?: string
  next_cursor?: string
  limit: number
}

/** Trades, newest first, but those in hidden events, with the next cursor (null at the end); null if the exchange does not answer. */
export async function readTape(
  exchange: VenueClient,
  platform: Platform,
  query: TapeQuery,
): Promise<{ rows: TapeRow[]; next: string | null } | null> {
  const page = await withFallback(null, exchange.listTrades({ query }))
  if (page === null) return null
  const person = await loadPeople(
    platform,
    page.data.map(({ taker_address }) => taker_address),
  )
  const hidden = await hiddenAmong(
    platform,
    page.data.map(({ event_slug }) => event_slug),
  )
  const shown = page.data.filter(({ event_slug }) => !hidden.has(event_slug))
  const pictures = await picturesOfMarkets(
    platform,
    shown.map(({ market }) => market),
  )
  const rows = shown.map((trade) => {
    const picture = pictureIn(pictures, { conditionId: trade.market, title: trade.title })
    return tapeRow(trade, (address) => person(address).username, picture)
  })
  return { rows, next: page.next_cursor === 'LTE=' ? null : page.next_cursor }
}
