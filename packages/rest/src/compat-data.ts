import type { Identity } from '@augury/venue/serve/access/identity'
import type { Edge } from '@augury/venue/serve/edge'
import { hashOfTrade } from '@augury/venue/serve/views/trade-view'
import type { CompatActivityQuery, CompatMarketsQuery, CompatTradesQuery } from '@augury/wire/compat-data'
import type { AccountingSnapshot, Activity, ActivityType, ClosedPosition, Position, TokenHolders } from '@augury/wire/data'
import { LAST_CURSOR, PAGE_MAX } from '@augury/wire/limits'
import type { Notification } from '@augury/wire/notification'
import type { Hex } from '@augury/wire/scalars'
import { ServiceError } from '@augury/wire/service-error'
import type { PublicTrade } from '@augury/wire/trade'
import { zip } from './zip.ts'

/** Reads of the established data service and its notifications. Strict clients expect exactly these fields. */

const tradeRow = ({ context }: Edge, trade: PublicTrade) => ({
  proxyWallet: trade.trader_address ?? trade.taker_address,
  side: trade.side,
  asset: trade.asset_id,
  conditionId: trade.market,
  size: Number(trade.size),
  price: Number(trade.price),
  timestamp: trade.timestamp,
  title: trade.title,
  slug: trade.slug,
  icon: context.markets.market(trade.market)?.metadata.icon ?? '',
  eventSlug: trade.event_slug,
  outcome: trade.outcome,
  outcomeIndex: trade.outcome_index,
  name: '',
  pseudonym: '',
  bio: '',
  profileImage: '',
  profileImageOptimized: '',
  transactionHash: trade.transaction_hash,
})

/** The markets that a query names, itself or by their events; undefined where it names none. */
export async function marketsOf({ context }: Edge, { market, id, eventId = id }: CompatMarketsQuery): Promise<string[] | undefined> {
  if (eventId === undefined) return market
  const conditions = await context.catalogue.conditionsOf(eventId)
  return conditions.filter((condition) => !market || market.includes(condition))
}

/** Pages of the journal of trades that one request reads beyond those that it lists: a narrow filter may fit few. */
const PAGES_BEYOND = 200
const TOO_NARROW = `${PAGES_BEYOND} pages of trades have too few of these: name a market or a user, or a later start`

/**
 * Reads trades of a filter up to a number of rows. Throws `invalid_payload` where more pages have to be read for them than one request may: a
 * shorter list would look like the end.
 */
async function readTrades(edge: Edge, identity: Identity, filter: object, most: number, fits: (trade: PublicTrade) => boolean) {
  const found: PublicTrade[] = []
  const pages = Math.ceil(most / PAGE_MAX) + PAGES_BEYOND
  for (let next_cursor: string | undefined, n = 0; next_cursor !== LAST_CURSOR && found.length < most; n++) {
    if (n === pages) throw new ServiceError('invalid_payload', { text: TOO_NARROW, details: [{ path: 'start', problem: TOO_NARROW }] })
    const page = { ...filter, limit: Math.min(most - found.length, PAGE_MAX), next_cursor }
    const read = (await edge.run('listTrades', identity, { query: page })) as { data: PublicTrade[]; next_cursor: string }
    found.push(...read.data.filter(fits))
    next_cursor = read.next_cursor
  }
  return found
}

/** Public trades as their takers see them or, unless only those are asked for, as everybody who took part; newest first. */
export async function compatTrades(edge: Edge, identity: Identity, query: CompatTradesQuery): Promise<object[]> {
  const { taker, maker, user = taker, eventId: _, limit: most, offset: from, filterType, filterAmount, start, end, ...rest } = query
  const takerOnly = taker !== undefined || query.takerOnly
  const asked = { ...rest, market: await marketsOf(edge, query) }
  if (asked.market?.length === 0) return []
  const least = { [filterType === 'TOKENS' ? 'min_shares' : 'min_usdc']: filterAmount }
  if (taker !== undefined && user !== taker) return []
  if (user !== undefined && maker === undefined) {
    const own = { ...asked, ...least, start, end, user, takerOnly, type: ['TRADE'], limit: most, offset: from }
    const rows = (await edge.run('listActivity', identity, { query: own })) as Activity[]
    return rows.map(({ type: __, fee: ___, timestamp_iso: ____, ...row }) => ({ ...row, profileImageOptimized: '' }))
  }
  const time = { before: end === undefined ? undefined : end + 1, after: start === undefined ? undefined : start - 1 }
  const filter = { ...asked, ...least, ...time, ...(maker === undefined ? { parties: !takerOnly } : { user: maker }) }
  const accountOf = (address: string) => edge.context.wallets.accountOf(address.toLowerCase() as Hex)
  const other = taker ?? (user === maker ? undefined : user)
  const found = await readTrades(edge, identity, filter, from + most, (trade) => {
    if (trade.timestamp < (start ?? 0)) return false // `after` is exact, not in whole seconds
    return (
      maker === undefined || (trade.trader_side === 'MAKER' && (other === undefined || accountOf(trade.taker_address) === accountOf(other)))
    )
  })
  return found.slice(from, from + most).map((trade) => tradeRow(edge, trade))
}

/** An open or closed position. */
export type ValuedRow = Position | ClosedPosition

/** A position whose price is a number, as strict clients expect: without a price it is the cost at which the position is valued. */
export const compatPosition = (row: ValuedRow): ValuedRow => ({ ...row, curPrice: row.curPrice ?? row.avgPrice })

/** Kinds of activity in a market, the default. Deposits and withdrawals have no market and must be requested by kind. */
const IN_MARKETS: readonly ActivityType[] = ['TRADE', 'SPLIT', 'MERGE', 'REDEEM', 'CONVERSION']

const NO_HASH = `0x${'0'.repeat(64)}`

/** Activity of the requested kinds that exist here. What concerns several markets has the id of none, and the slug of their event. */
export async function compatActivity(edge: Edge, identity: Identity, query: CompatActivityQuery): Promise<object[]> {
  const { eventId: _, type: asked, ...rest } = query
  const market = await marketsOf(edge, query)
  const type = asked?.length ? asked.filter((one) => one !== null) : IN_MARKETS
  if (market?.length === 0 || type.length === 0) return []
  const rows = (await edge.run('listActivity', identity, { query: { ...rest, market, type } })) as Activity[]
  return rows.map((row) => ({
    ...row,
    profileImageOptimized: '',
    conditionId: row.conditionId || NO_HASH,
    slug: row.slug || row.eventSlug,
  }))
}

/** Holders with the fields of a profile that strict clients need; the exchange knows no names, so none is public. */
export const compatHolders = ({ token, holders }: TokenHolders): object => ({
  token,
  holders: holders.map((holder) => ({ ...holder, profileImageOptimized: '', displayUsernamePublic: false })),
})

/** Rows as CSV. None of the values has a comma, a quote or a line break. */
const csv = (names: readonly string[], rows: readonly object[]): string =>
  [names, ...rows.map((row) => names.map((name) => (row as Record<string, unknown>)[name] ?? ''))]
    .map((row) => `${row.join(',')}\n`)
    .join('')

/** What an account has, as the ZIP that data clients save. */
export const compatSnapshot = ({ positions, equity }: AccountingSnapshot): Buffer<ArrayBuffer> =>
  zip({
    'positions.csv': csv(['conditionId', 'asset', 'size', 'curPrice', 'valuationTime'], positions),
    'equity.csv': csv(['cashBalance', 'positionsValue', 'equity', 'valuationTime'], [equity]),
  })

/** Notifications in the established shape, with the market and the order's last trade. */
export async function compatNotifications({ context }: Edge, notifications: Notification[]): Promise<object[]> {
  const trades = await context.venue.readModel.tradeIds(notifications.map(({ payload }) => payload.id as Hex))
  return notifications.map(({ payload, ...about }) => {
    const market = context.markets.market(payload.market)!
    const { metadata } = market
    const last = trades.get(payload.id as Hex)?.at(-1)
    return {
      ...about,
      timestamp: about.timestamp * 1000, // in milliseconds there
      payload: {
        ...payload,
        condition_id: payload.market,
        question: metadata.question,
        market_slug: market.questionSlug,
        icon: metadata.icon,
        image: metadata.icon,
        eventSlug: metadata.event.slug,
        seriesSlug: metadata.event.series_slug ?? '',
        outcome_index: market.tokens.indexOf(payload.asset_id),
        order_id: payload.id,
        matched_size: payload.size_matched,
        trade_id: last ?? '',
        transaction_hash: last === undefined ? NO_HASH : hashOfTrade(context, last),
      },
    }
  })
}
