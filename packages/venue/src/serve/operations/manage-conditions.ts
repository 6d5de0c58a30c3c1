import { parsePrice } from '@augury/units/decimal'
import { ONE } from '@augury/units/price'
import { asksAnew, type ConditionPatch } from '@augury/wire/condition-request'
import type { Market } from '@augury/wire/market'
import { ServiceError } from '@augury/wire/service-error'
import { scopeCovers, type Trader } from '../access/identity.ts'
import type { MarketRecord } from '../reference/markets.ts'
import { marketView } from '../views/market-view.ts'
import type { Context } from './context.ts'
import { marketOf } from './list-markets.ts'
import { accepted } from './refused.ts'

type ById = { params: { id: string } }

/** A market that this operator may manage: its own, or any with the scope of the venue. */
function managed(ctx: Context, operator: Trader, { params }: ById): MarketRecord {
  const { market } = marketOf(ctx, params.id)
  if (market.creator !== operator.account && !scopeCovers(operator.scope, 'venue')) throw new ServiceError('condition_not_owned')
  return market
}

const view = (ctx: Context, market: MarketRecord): Market =>
  marketView(ctx.exchange, market, ctx.exchange.condition(market.condition)!, ctx.venue.now())

/**
 * Changes the named texts, resolution attributes and trading terms of a market. Concurrent changes of other fields are kept. Throws
 * `rules_only_grow` if there are trades or orders and the question would change.
 */
export async function patchCondition(ctx: Context, operator: Trader, input: ById & { body: ConditionPatch }): Promise<Market> {
  const market = managed(ctx, operator, input)
  return ctx.registrations.run(market.condition, () => patch(ctx, market, input.body))
}

/** Returns the requested value of a term, or null if it is so already: a repeated request is not broadcast. */
const change = <Asked extends Term, Term>(asked: Asked | undefined, is: Term): Asked | null => (asked === is ? null : (asked ?? null))

/** Returns whether a market has trades, holders or open orders. */
function isTradedIn({ exchange }: Context, { condition }: MarketRecord): boolean {
  const { lastTrade, supply } = exchange.condition(condition)!
  const { bids, asks } = exchange.depth(condition, 0, 1) // the other book shows the same orders
  return lastTrade !== null || supply.yes + supply.no + bids.length + asks.length > 0
}

async function patch(ctx: Context, market: MarketRecord, body: ConditionPatch): Promise<Market> {
  // What people trade by stays what they traded by.
  if (body.metadata && asksAnew(market.metadata, body.metadata) && isTradedIn(ctx, market)) throw new ServiceError('rules_only_grow')
  const terms = ctx.exchange.condition(market.condition)!
  const mode = change(body.mode, terms.mode)
  const grid = change(body.tick_size && parsePrice(body.tick_size), terms.grid)
  const feeBps = change(body.fee_rate_bps, terms.feeBps)
  if (mode !== null || grid !== null || feeBps !== null) {
    const result = await ctx.venue.submit({ type: 'set_condition', condition: market.condition, mode, grid, feeBps })
    const [answer] = result.events
    if (answer?.type === 'refused' && answer.code === 'invalid_price_tick') {
      throw new ServiceError(answer.code, { text: 'a tick only gets finer, and divides the one before' })
    }
    accepted(result)
  }
  const { resolution } = market
  const changed: MarketRecord = {
    ...market,
    metadata: body.metadata ?? market.metadata,
    endTime: body.end_time === undefined ? market.endTime : new Date(body.end_time).toISOString(),
    resolution: {
      status: body.resolution_status === undefined ? resolution.status : body.resolution_status,
      flagged: body.resolution_flagged ?? resolution.flagged,
      paused: body.resolution_paused ?? resolution.paused,
      deadlineAt: body.resolution_deadline_at === undefined ? resolution.deadlineAt : body.resolution_deadline_at,
    },
    updatedAt: new Date(ctx.venue.now()).toISOString(),
  }
  await ctx.markets.update(changed)
  return view(ctx, changed)
}

/** Stops trading at once; open orders end. Repeating it changes nothing. */
export async function closeCondition(ctx: Context, operator: Trader, input: ById): Promise<Market> {
  const market = managed(ctx, operator, input)
  if (ctx.exchange.condition(market.condition)!.mode !== 'closed') {
    accepted(await ctx.venue.submit({ type: 'set_condition', condition: market.condition, mode: 'closed', grid: null, feeBps: null }))
  }
  return view(ctx, market)
}

/** Sets what a share of each outcome pays, for good. Repeating it changes nothing. */
export async function resolveCondition(
  ctx: Context,
  operator: Trader,
  input: ById & { body: { weights: [number, number] } },
): Promise<Market> {
  const market = managed(ctx, operator, input)
  const [weight, rest] = input.body.weights
  if (weight + rest !== ONE) throw new ServiceError('invalid_weight', { text: `the weights of both outcomes have to be ${ONE} together` })
  const condition = ctx.exchange.condition(market.condition)!
  if (condition.mode !== 'resolved' || condition.weight !== weight) {
    accepted(await ctx.venue.submit({ type: 'resolve', condition: market.condition, weight }))
  }
  return view(ctx, market)
}

/** Pays up to `limit` holders of a resolved market. */
export async function redeemCondition(ctx: Context, operator: Trader, input: ById & { body: { limit: number } }) {
  const market = managed(ctx, operator, input)
  const { events } = accepted(await ctx.venue.submit({ type: 'redeem_all', condition: market.condition, limit: input.body.limit }))
  const paid = new Set(events.flatMap((event) => (event.type === 'entry' && event.reason === 'redeem' ? [event.account] : [])))
  const { supply } = ctx.exchange.condition(market.condition)!
  return { redeemed: paid.size, remaining: supply.yes + supply.no > 0 }
}
