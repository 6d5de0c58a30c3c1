import { ONE } from '@augury/units/price'
import type { TokenPositions } from '@augury/wire/data'
import type { Input } from '@augury/wire/operation'
import type { dataOperations } from '@augury/wire/operations/data'
import { inTurns } from '../../base/in-turns.ts'
import type { Visitor } from '../access/identity.ts'
import type { MarketRecord } from '../reference/markets.ts'
import { shownPrice } from '../views/market-view.ts'
import { closedPositionView, positionView } from '../views/position-view.ts'
import { caughtUp } from './caught-up.ts'
import type { Context } from './context.ts'

type Query = Input<typeof dataOperations.listMarketPositions>['query']

const SORTS = { TOKENS: 'lots', CASH_PNL: 'unrealised', REALIZED_PNL: 'realised', TOTAL_PNL: 'total' } as const
const HELD: Readonly<Record<string, boolean>> = { OPEN: true, CLOSED: false }
/** Positions that are valued in one turn of the event loop. */
const VALUED_AT_ONCE = 100

/** Positions of all accounts in both tokens of a market; an unknown market has none. */
export async function listMarketPositions(ctx: Context, _: Visitor, { query }: { query: Query }): Promise<TokenPositions[]> {
  const market = ctx.markets.market(query.market)
  if (!market) return []
  await caughtUp(ctx)
  return Promise.all(([0, 1] as const).map((outcome) => positionsIn(ctx, market, outcome, query)))
}

async function positionsIn(ctx: Context, market: MarketRecord, outcome: 0 | 1, query: Query): Promise<TokenPositions> {
  const { exchange, venue, wallets } = ctx
  const price = shownPrice(exchange, market, exchange.condition(market.condition)!, outcome)
  const records = await venue.readModel.tokenPositions([market.condition, outcome], {
    account: query.user ? wallets.accountOf(query.user) : null,
    isHeld: HELD[query.status] ?? null,
    price: price === null ? null : Math.round(price * ONE * 2),
    by: SORTS[query.sortBy as keyof typeof SORTS],
    ascending: query.sortDirection === 'ASC',
    limit: query.limit,
    offset: query.offset,
  })
  const positions = await inTurns(records, VALUED_AT_ONCE, (record) => {
    const of = query.user ?? record.account
    const held = record.lots > 0 ? positionView(exchange, market, record, of, false) : null
    const { size, currentValue, cashPnl } = held ?? { size: 0, currentValue: 0, cashPnl: 0 }
    const { curPrice, ...row } = held ?? closedPositionView(exchange, market, record, of)
    return {
      proxyWallet: row.proxyWallet,
      name: '',
      profileImage: '',
      verified: false,
      asset: row.asset,
      conditionId: row.conditionId,
      avgPrice: row.avgPrice,
      size,
      currPrice: curPrice ?? row.avgPrice,
      currentValue,
      cashPnl,
      totalBought: row.totalBought,
      realizedPnl: row.realizedPnl,
      totalPnl: Math.round((cashPnl + row.realizedPnl) * 1e6) / 1e6,
      outcome: row.outcome,
      outcomeIndex: row.outcomeIndex,
    }
  })
  return { token: market.tokens[outcome], positions }
}
