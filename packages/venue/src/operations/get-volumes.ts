import { formatDecimal, formatUsdc } from '@augury/units/decimal'
import type { ConditionVolume } from '@augury/wire/market'
import type { Visitor } from '../access/identity.ts'
import type { Context } from '../context.ts'

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
