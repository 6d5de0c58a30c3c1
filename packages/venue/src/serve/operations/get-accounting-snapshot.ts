import type { AccountingSnapshot } from '@augury/wire/data'
import type { Input } from '@augury/wire/operation'
import type { dataOperations } from '@augury/wire/operations/data'
import { inTurns } from '../../base/in-turns.ts'
import type { Visitor } from '../access/identity.ts'
import { pricedPosition, sharesNumber, usdcNumber } from '../views/position-view.ts'
import type { Context } from './context.ts'
import { positionsOf } from './list-positions.ts'

type Query = Input<typeof dataOperations.getAccountingSnapshot>['query']

/** Positions that are valued in one turn of the event loop. */
const VALUED_AT_ONCE = 100

/** What an account has at this moment: each token that it holds, its cash, and both together at displayed prices. */
export async function getAccountingSnapshot(ctx: Context, _: Visitor, { query }: { query: Query }): Promise<AccountingSnapshot> {
  const held = (await positionsOf(ctx, query.user, undefined)).filter(({ record }) => record.lots > 0)
  const valuationTime = new Date(ctx.venue.now()).toISOString()
  let worth = 0
  const positions = await inTurns(held, VALUED_AT_ONCE, ({ market, record }) => {
    const { price, value } = pricedPosition(ctx.exchange, market, record)
    worth += value
    const { condition: conditionId, lots, outcome } = record
    return { conditionId, asset: market.tokens[outcome], size: sharesNumber(lots), curPrice: price, valuationTime }
  })
  const { free, held: reserved } = ctx.exchange.balance(ctx.wallets.accountOf(query.user))
  const cash = free + reserved
  const equity = { cashBalance: usdcNumber(cash), positionsValue: usdcNumber(worth), equity: usdcNumber(cash + worth), valuationTime }
  return { positions, equity }
}
