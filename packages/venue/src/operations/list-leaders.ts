import type { Hex } from '@augury/engine/command'
import { ONE } from '@augury/units/price'
import type { Leader } from '@augury/wire/data'
import type { Input } from '@augury/wire/operation'
import type { dataOperations } from '@augury/wire/operations/data'
import { getAddress } from 'viem'
import type { Visitor } from '../access/identity.ts'
import type { Context } from '../context.ts'
import type { Standing } from '../history/read-accounts.ts'
import { inTurns } from '../in-turns.ts'
import { isPriced, shownPrice } from '../views/market-view.ts'
import { usdcNumber } from '../views/position-view.ts'

type Query<Name extends keyof typeof dataOperations> = { query: Input<(typeof dataOperations)[Name]>['query'] }

const DAY = 24 * 60 * 60 * 1000
const PERIODS: Record<string, number> = { DAY, WEEK: 7 * DAY, MONTH: 30 * DAY }
/** Ranks on a leaderboard. */
const PLACES = 1000
const RENEWED_MS = 60_000
/** Markets that get their price for a board in one turn of the event loop. */
const PRICED_AT_ONCE = 250
const OVERALL = 'overall'

/** What is cached for a minute: the categories there are, and leaderboards by query, each of which sums up everybody's trades. */
interface Kept {
  at: number
  categories: ReadonlySet<string>
  boards: Map<string, Promise<Standing[]>>
}
const keptOf = new WeakMap<Context, Kept>()

/** Yes prices, in half steps, of the markets of a category that have one; of all for OVERALL. What has none is worth what it cost. */
async function pricesOf(ctx: Context, category: string): Promise<Map<Hex, number>> {
  const prices = await inTurns(ctx.markets.page(0, ctx.markets.count), PRICED_AT_ONCE, (market) => {
    const isIn = category === OVERALL || market.metadata.event.tags.some(({ slug }) => slug.toLowerCase() === category)
    const condition = isIn ? ctx.exchange.condition(market.condition) : null
    if (!condition || !isPriced(ctx.exchange, market, condition)) return null
    return [market.condition, Math.round(shownPrice(ctx.exchange, market, condition, 0) * ONE * 2)] as const
  })
  return new Map(prices)
}

/** Slugs of categories that markets are in, and OVERALL. */
function categoriesOf(ctx: Context): ReadonlySet<string> {
  const markets = ctx.markets.page(0, ctx.markets.count)
  const names = new Set(markets.flatMap(({ metadata }) => metadata.event.tags.map(({ slug }) => slug.toLowerCase())))
  return markets.length > 0 ? names.add(OVERALL) : names
}

/** A leaderboard, cached for a minute: making one reads all markets, which callers must not be able to repeat at will. */
function boardOf(ctx: Context, category: string, timePeriod: string, orderBy: string): Promise<Standing[]> {
  const now = ctx.venue.now()
  let kept = keptOf.get(ctx)
  if (!kept || now - kept.at >= RENEWED_MS) {
    kept = { at: now, categories: categoriesOf(ctx), boards: new Map() }
    keptOf.set(ctx, kept)
  }
  if (!kept.categories.has(category)) return Promise.resolve([])
  const { boards } = kept
  const key = `${category} ${timePeriod} ${orderBy}`
  const known = boards.get(key)
  if (known) return known
  const period = PERIODS[timePeriod]
  const since = period === undefined ? null : now - period
  const by = orderBy === 'VOL' ? 'volume' : 'gain'
  const board = pricesOf(ctx, category).then((prices) => ctx.venue.readModel.standings(prices, since, by, PLACES))
  boards.set(key, board)
  board.catch(() => boards.delete(key))
  return board
}

/** The accounts with the largest volume or gain, or the rank of one of them. */
export async function listLeaders(ctx: Context, _: Visitor, { query }: Query<'listLeaders'>): Promise<Leader[]> {
  const board = await boardOf(ctx, query.category.toLowerCase(), query.timePeriod, query.orderBy)
  const places = board.map((standing, index) => ({ ...standing, rank: String(index + 1) }))
  const owner = query.user && ctx.wallets.accountOf(query.user)
  const asked = owner ? places.filter(({ account }) => account === owner) : places
  return asked.slice(query.offset, query.offset + query.limit).map(({ account, volume, gain, rank }) => ({
    rank,
    proxyWallet: getAddress(account),
    userName: '',
    vol: usdcNumber(volume),
    pnl: usdcNumber(Math.round(gain)),
    profileImage: '',
    xUsername: '',
    verifiedBadge: false,
  }))
}
