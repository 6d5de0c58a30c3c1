import type { Hex } from '@augury/engine/command'
import { formatUsdc } from '@augury/units/decimal'
import type { ClosedPosition, HoldingsValue, Position, TraderTotals } from '@augury/wire/data'
import type { Input } from '@augury/wire/operation'
import type { dataOperations } from '@augury/wire/operations/data'
import { getAddress } from 'viem'
import { inTurns, sortedInTurns } from '../../base/in-turns.ts'
import type { Visitor } from '../access/identity.ts'
import { closedPositionView, positionView, pricedPosition, usdcNumber } from '../views/position-view.ts'
import { caughtUp } from './caught-up.ts'
import type { Context } from './context.ts'

/** Positions that are valued in one turn of the event loop: an active trader has very many closed ones. */
const VALUED_AT_ONCE = 100

/** The known conditions among some ids; undefined, which means all, for undefined. */
export const conditionsOf = (ctx: Context, ids: readonly string[] | undefined): Hex[] | undefined =>
  ids && [...new Set(ids.flatMap((id) => ctx.markets.market(id)?.condition ?? []))]

/** All positions of an address, or of its account when it is a wallet, with their markets. */
export async function positionsOf(ctx: Context, user: Hex, markets: readonly string[] | undefined) {
  await caughtUp(ctx)
  const records = await ctx.venue.readModel.positions(ctx.wallets.accountOf(user), conditionsOf(ctx, markets))
  return records.flatMap((record) => {
    const market = ctx.markets.market(record.condition)
    return market ? [{ market, record }] : []
  })
}

async function openPositions(ctx: Context, user: Hex, markets: readonly string[] | undefined): Promise<Position[]> {
  const held = (await positionsOf(ctx, user, markets)).filter(({ record }) => record.lots > 0)
  const outcomes = new Map<Hex, number>()
  for (const { record } of held) outcomes.set(record.condition, (outcomes.get(record.condition) ?? 0) + 1)
  return inTurns(held, VALUED_AT_ONCE, ({ market, record }) =>
    positionView(ctx.exchange, market, record, user, outcomes.get(record.condition) === 2),
  )
}

const POSITION_KEYS = {
  TOKENS: 'size',
  CURRENT: 'currentValue',
  INITIAL: 'initialValue',
  CASHPNL: 'cashPnl',
  PERCENTPNL: 'percentPnl',
  TITLE: 'title',
  RESOLVING: 'endDate',
  PRICE: 'curPrice',
  AVGPRICE: 'avgPrice',
} as const satisfies Record<string, keyof Position>
const CLOSED_KEYS = {
  REALIZEDPNL: 'realizedPnl',
  TITLE: 'title',
  PRICE: 'curPrice',
  AVGPRICE: 'avgPrice',
  TIMESTAMP: 'timestamp',
} as const satisfies Record<string, keyof ClosedPosition>

/** A page of rows sorted by one of their fields, then by token. */
function sorted<Row extends { asset: string }>(
  rows: Row[],
  key: keyof Row,
  { sortDirection, ...page }: { sortDirection: string; limit: number; offset: number },
): Promise<Row[]> {
  const sign = sortDirection === 'ASC' ? 1 : -1
  const compare = (one: Row, other: Row) => {
    const [a, b] = [one[key] ?? '', other[key] ?? '']
    return (a < b ? -1 : a > b ? 1 : 0) * sign || (one.asset < other.asset ? -1 : 1)
  }
  return sortedInTurns(rows, compare, page)
}

type Query<Name extends keyof typeof dataOperations> = { query: Input<(typeof dataOperations)[Name]>['query'] }

const isTitled = ({ title }: { title: string }, words = ''): boolean => title.toLowerCase().includes(words.toLowerCase())

/** Open positions of an address. */
export async function listPositions(ctx: Context, _: Visitor, { query }: Query<'listPositions'>): Promise<Position[]> {
  const rows = (await openPositions(ctx, query.user, query.market)).filter(
    (row) =>
      row.size >= query.sizeThreshold &&
      (query.redeemable === undefined || query.redeemable === row.redeemable) &&
      (query.mergeable === undefined || query.mergeable === row.mergeable) &&
      isTitled(row, query.title),
  )
  return sorted(rows, POSITION_KEYS[query.sortBy as keyof typeof POSITION_KEYS], query)
}

/** Closed positions of an address. */
export async function listClosedPositions(ctx: Context, _: Visitor, { query }: Query<'listClosedPositions'>): Promise<ClosedPosition[]> {
  const closed = (await positionsOf(ctx, query.user, query.market)).filter(({ record }) => record.lots === 0)
  const rows = await inTurns(closed, VALUED_AT_ONCE, ({ market, record }) => closedPositionView(ctx.exchange, market, record, query.user))
  const titled = rows.filter((row) => isTitled(row, query.title))
  return sorted(titled, CLOSED_KEYS[query.sortBy as keyof typeof CLOSED_KEYS], query)
}

/** Value and cost of all that an address holds, and its profit with the parts that it is made of. */
export async function getValue(ctx: Context, _: Visitor, { query }: Query<'getValue'>): Promise<HoldingsValue[]> {
  const all = await positionsOf(ctx, query.user, query.market)
  const rewards = await ctx.venue.readModel.rewards(ctx.wallets.accountOf(query.user), conditionsOf(ctx, query.market))
  const sum = { value: 0, cost: 0, unrealised: 0, realised: 0, fees: 0, unpriced: 0 }
  const names = Object.keys(sum) as (keyof typeof sum)[]
  await inTurns(all, VALUED_AT_ONCE, ({ market, record }) => {
    const profit = pricedPosition(ctx.exchange, market, record)
    for (const name of names) sum[name] += profit[name]
    return null
  })
  const rewarded = [...rewards.values()].reduce((added, amount) => added + amount, 0)
  return [
    {
      user: getAddress(query.user),
      value: usdcNumber(sum.value),
      initialValue: usdcNumber(sum.cost),
      cashPnl: usdcNumber(sum.unrealised),
      unpricedValue: usdcNumber(sum.unpriced),
      realizedPnl: usdcNumber(sum.realised + rewarded),
      profit: usdcNumber(sum.unrealised + sum.realised + rewarded),
      fees: usdcNumber(sum.fees),
      rewards: usdcNumber(rewarded),
    },
  ]
}

/** Volume and number of trades of some addresses. */
export async function getTraders(ctx: Context, _: Visitor, { body }: { body: { users: Hex[] } }): Promise<TraderTotals[]> {
  const asked = [...new Set(body.users)].map((user) => ({ user, account: ctx.wallets.accountOf(user) }))
  const totals = await ctx.venue.readModel.totalsOf([...new Set(asked.map(({ account }) => account))])
  return asked.map(({ user, account }) => {
    const { volume, trades } = totals.get(account) ?? { volume: 0, trades: 0 }
    return { user: getAddress(user), volume: formatUsdc(volume), trades }
  })
}

/** Number of markets in which an address traded. */
export const getTraded = async (ctx: Context, _: Visitor, { query }: Query<'getTraded'>) => ({
  user: getAddress(query.user),
  traded: await ctx.venue.readModel.traded(ctx.wallets.accountOf(query.user)),
})
