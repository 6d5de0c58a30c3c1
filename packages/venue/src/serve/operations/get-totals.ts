import { formatDecimal, formatUsdc } from '@augury/units/decimal'
import { PAGE } from '@augury/wire/limits'
import type { ConditionVolume } from '@augury/wire/market'
import type { Input } from '@augury/wire/operation'
import type { dataOperations } from '@augury/wire/operations/data'
import type { Visitor } from '../access/identity.ts'
import { usdcNumber } from '../views/position-view.ts'
import type { Context } from './context.ts'
import { conditionsOf } from './list-positions.ts'

type Query<Name extends keyof typeof dataOperations> = { query: Input<(typeof dataOperations)[Name]>['query'] }

interface Volumes {
  body: { include_24h?: boolean | undefined; conditions: { condition_id: string }[] }
}

/** Volume, open interest and open positions of up to 500 markets, each once and with its own status. */
export async function getVolumes(ctx: Context, _: Visitor, { body }: Volumes): Promise<ConditionVolume[]> {
  const ids = [...new Set(body.conditions.map(({ condition_id }) => condition_id))]
  const asked = ids.map((condition_id) => ({ condition_id, market: ctx.markets.market(condition_id) }))
  const known = asked.flatMap(({ market }) => (market ? [market.condition] : []))
  const stats = await ctx.venue.readModel.stats(known, ctx.venue.now())
  return asked.map(({ condition_id, market }) => {
    const found = market && stats.get(market.condition)
    const event = market?.negRiskMarketId && ctx.exchange.event(market.negRiskMarketId)
    if (!found) return { condition_id, status: 404 as const }
    return {
      condition_id,
      status: 200 as const,
      volume: formatUsdc(found.volume),
      ...(body.include_24h === false ? {} : { volume_24h: formatUsdc(found.volume24h) }),
      open_interest: formatDecimal(found.openInterest, 6),
      ...(event ? { event_open_interest: formatUsdc(event.cash) } : {}),
      active_positions_count: found.holders,
    }
  })
}

/** Traded volume of some markets. */
export async function getLiveVolume(ctx: Context, _: Visitor, { query }: Query<'getLiveVolume'>) {
  const asked = conditionsOf(ctx, query.market.slice(0, PAGE))!
  const stats = await ctx.venue.readModel.stats(asked, ctx.venue.now())
  const volumes = asked.map((market) => ({ market: market as string, micros: stats.get(market)?.volume ?? 0 }))
  const markets = volumes.map(({ market, micros }) => ({ market, value: usdcNumber(micros) }))
  return [{ total: usdcNumber(volumes.reduce((sum, { micros }) => sum + micros, 0)), markets }]
}

/** The open interest of all markets while it is being computed: concurrent callers share it. */
const counting = new WeakMap<Context, Promise<number>>()

/** Open interest of some markets, or of all together. */
export async function getOpenInterest(ctx: Context, _: Visitor, { query }: Query<'getOpenInterest'>) {
  const asked = conditionsOf(ctx, query.market)
  if (!asked) {
    const count = counting.get(ctx) ?? countAll(ctx).finally(() => counting.delete(ctx))
    counting.set(ctx, count)
    return [{ market: 'GLOBAL', value: await count }]
  }
  const stats = await ctx.venue.readModel.stats(asked, ctx.venue.now())
  return asked.map((market) => ({ market: market as string, value: usdcNumber(stats.get(market)?.openInterest ?? 0) }))
}

async function countAll(ctx: Context): Promise<number> {
  const apart = await ctx.venue.readModel.openInterest()
  // Money behind conversions backs the shares of all markets of an event together, and of none alone.
  const events = new Set(ctx.markets.page(0, ctx.markets.count).flatMap(({ negRiskMarketId }) => negRiskMarketId ?? []))
  const shared = [...events].reduce((sum, event) => sum + (ctx.exchange.event(event)?.cash ?? 0), 0)
  return usdcNumber(apart + shared)
}
