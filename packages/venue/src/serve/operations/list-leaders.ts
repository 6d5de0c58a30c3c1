import type { Hex } from '@augury/engine/command'
import { ONE } from '@augury/units/price'
import type { Leader } from '@augury/wire/data'
import type { Input } from '@augury/wire/operation'
import type { dataOperations } from '@augury/wire/operations/data'
import { getAddress } from 'viem'
import { inTurns } from '../../base/in-turns.ts'
import type { Standing } from '../../record/history/read-standings.ts'
import type { Visitor } from '../access/identity.ts'
import { shownPrice } from '../views/market-view.ts'
import { usdcNumber } from '../views/position-view.ts'
import type { Context } from './context.ts'

type Query<Name extends keyof typeof dataOperations> = { query: Input<(typeof dataOperations)[Name]>['query'] }

const DAY = 24 * 60 * 60 * 1000
const PERIODS: Record<string, number> = { DAY, WEEK: 7 * DAY, MONTH: 30 * DAY }
/** Ranks on a leaderboard. */
const PLACES = 1000
const RENEWED_MS = 60_000
/** Markets that get their price for a board in one turn of the event loop. */
const PRICED_AT_ONCE = 250
const OVERALL = 'overall'

/** A leaderboard, which sums up everybody's trades, is cached for a hundred times as long as making it took, and at most a minute. */
const KEPT_TIMES = 100
const KEPT_LEAST_MS = 1000

/** What is cached: the categories there are, for a minute, and leaderboards by query, each until some time. */
interface Kept {
  at: number
  categories: ReadonlySet<string>
  boards: Map<string, { until: number; board: Promise<Standing[]> }>
}
const keptOf = new WeakMap<Context, Kept>()

/** Yes prices, in half steps, of the markets of a category, of all for OVERALL; null without a price. */
async function pricesOf(ctx: Context, category: string): Promise<Map<Hex, number | null>> {
  const prices = await inTurns(ctx.markets.page(0, ctx.markets.count), PRICED_AT_ONCE, (market) => {
    const isIn = category === OVERALL || market.metadata.event.tags.some(({ slug }) => slug.toLowerCase() === category)
    const condition = isIn ? ctx.exchange.condition(market.condition) : null
    if (!condition) return null
    const price = shownPrice(ctx.exchange, market, condition, 0)
    return [market.condition, price === null ? null : Math.round(price * ONE * 2)] as const
  })
  return new Map(prices)
}

/** Slugs of categories that markets are in, and OVERALL. */
function categoriesOf(ctx: Context): ReadonlySet<string> {
  const markets = ctx.markets.page(0, ctx.markets.count)
  const names = new Set(markets.flatMap(({ metadata }) => metadata.event.tags.map(({ slug }) => slug.toLowerCase())))
  return markets.length > 0 ? names.add(OVERALL) : names
}

/** A cached leaderboard: making one reads all markets, which callers must not be able to repeat at will. */
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
  if (known && now < known.until) return known.board
  const made = { until: now + RENEWED_MS, board: makeBoard(ctx, category, PERIODS[timePeriod], orderBy) }
  boards.set(key, made)
  const begun = performance.now()
  made.board.then(
    () => (made.until = Math.min(made.until, now + KEPT_LEAST_MS + KEPT_TIMES * (performance.now() - begun))),
    () => boards.delete(key),
  )
  return made.board
}

async function makeBoard(ctx: Context, category: string, period: number | undefined, orderBy: string): Promise<Standing[]> {
  const prices = await pricesOf(ctx, category)
  const since = period === undefined ? null : ctx.venue.now() - period
  return ctx.venue.readModel.standings(prices, since, orderBy === 'VOL' ? 'volume' : 'profit', PLACES)
}

/** The accounts with the largest volume or profit, or the rank of one of them. */
export async function listLeaders(ctx: Context, _: Visitor, { query }: Query<'listLeaders'>): Promise<Leader[]> {
  const board = await boardOf(ctx, query.category.toLowerCase(), query.timePeriod, query.orderBy)
  const places = board.map((standing, index) => ({ ...standing, rank: String(index + 1) }))
  const owner = query.user && ctx.wallets.accountOf(query.user)
  const asked = owner ? places.filter(({ account }) => account === owner) : places
  return asked.slice(query.offset, query.offset + query.limit).map(({ account, volume, profit, rank }) => ({
    rank,
    proxyWallet: getAddress(account),
    userName: '',
    vol: usdcNumber(volume),
    pnl: usdcNumber(profit),
    profileImage: '',
    xUsername: '',
    verifiedBadge: false,
  }))
}
