import { createHash } from 'node:crypto'
import type { Hex } from '@augury/engine/command'
import { conditionId, negRiskMarketId, questionId, tokenId } from '@augury/signing/ids'
import { DecimalError, parseLots, parsePrice } from '@augury/units/decimal'
import type { conditionRequest, RegisteredCondition } from '@augury/wire/condition-request'
import { ServiceError } from '@augury/wire/service-error'
import type { z } from 'zod'
import type { Trader } from '../access/identity.ts'
import type { MarketRecord, NewMarketRecord } from '../reference/markets.ts'
import type { Context } from './context.ts'
import { accepted } from './refused.ts'

type ConditionBody = z.output<typeof conditionRequest>

/**
 * Registers a market of the operator. Repeating it with the same content returns the same ids; with other content it throws
 * `condition_exists`. The texts are stored before the engine gets the condition, so that it never lacks them.
 */
export async function registerCondition(ctx: Context, operator: Trader, { body }: { body: ConditionBody }): Promise<RegisteredCondition> {
  const market = record(ctx, operator.account, body)
  return ctx.registrations.run(market.condition, () => register(ctx, operator, market, body))
}

async function register(ctx: Context, operator: Trader, market: NewMarketRecord, body: ConditionBody): Promise<RegisteredCondition> {
  const known = ctx.markets.market(market.condition)
  if (known && ctx.exchange.condition(market.condition)) return answer(sameContent(known, market))
  const { neg_risk_event: event } = body
  const [minLots, minNotional] = [lotsOf(body.min_size), notionalOf(body.min_notional)]
  await (known ? ctx.markets.update({ ...market, createdAt: known.createdAt }) : ctx.markets.add(market))
  sameContent(ctx.markets.market(market.condition)!, market) // another process may have been faster
  const result = await ctx.venue.submit({
    type: 'register',
    condition: market.condition,
    creator: operator.account,
    grid: parsePrice(body.tick_size),
    minLots,
    minNotional,
    feeBps: body.fee_rate_bps,
    rebateBps: body.rebate_bps,
    affiliateBps: body.affiliate_share_bps,
    event: event && market.negRiskMarketId ? { id: market.negRiskMarketId, size: event.size } : null,
  })
  const first = result.events[0]
  if (first?.type === 'refused' && first.code === 'condition_exists')
    return answer(sameContent(ctx.markets.market(market.condition)!, market))
  accepted(result)
  return answer(market)
}

function sameContent(known: MarketRecord, asked: NewMarketRecord): MarketRecord {
  if (known.content !== asked.content) throw new ServiceError('condition_exists')
  return known
}

function lotsOf(size: string): number {
  try {
    return Math.max(1, parseLots(size))
  } catch (error) {
    if (error instanceof DecimalError)
      throw new ServiceError('invalid_payload', { details: [{ path: 'min_size', problem: error.message }] })
    throw error
  }
}

/** Millionths. The digits of a request may be more than can be counted. */
function notionalOf(micros: string): number {
  if (Number.isSafeInteger(Number(micros))) return Number(micros)
  throw new ServiceError('invalid_payload', { details: [{ path: 'min_notional', problem: `too large: ${micros}` }] })
}

function record(ctx: Context, creator: Hex, body: ConditionBody): NewMarketRecord {
  if (body.rebate_bps + body.affiliate_share_bps > 10_000) {
    throw new ServiceError('invalid_payload', {
      details: [{ path: 'affiliate_share_bps', problem: 'rebate and affiliate share exceed the fee' }],
    })
  }
  if (body.neg_risk_event && body.neg_risk_event.slug !== body.metadata.event.slug) {
    throw new ServiceError('invalid_payload', { details: [{ path: 'neg_risk_event.slug', problem: 'is not the event of the metadata' }] })
  }
  const question = questionId(creator, body.question_slug)
  const condition = conditionId(creator, question)
  const now = new Date(ctx.venue.now()).toISOString()
  return {
    condition,
    questionId: question,
    creator,
    questionSlug: body.question_slug,
    outcomes: body.outcomes,
    tokens: [tokenId(condition, 0), tokenId(condition, 1)],
    negRiskMarketId: body.neg_risk_event ? negRiskMarketId(creator, body.neg_risk_event.slug) : null,
    endTime: new Date(body.end_time).toISOString(),
    metadata: body.metadata,
    resolution: { status: null, flagged: false, paused: false, deadlineAt: null },
    content: contentOf(body),
    createdAt: now,
    updatedAt: now,
  }
}

/** Hash of a request whatever the order of its keys. */
function contentOf(body: ConditionBody): Hex {
  const sorted = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(sorted)
      : value && typeof value === 'object'
        ? Object.fromEntries(
            Object.entries(value)
              .sort(([a], [b]) => (a < b ? -1 : 1))
              .map(([key, inner]) => [key, sorted(inner)]),
          )
        : value
  return `0x${createHash('sha256')
    .update(JSON.stringify(sorted(body)))
    .digest('hex')}`
}

const answer = (market: NewMarketRecord): RegisteredCondition => ({
  condition_id: market.condition,
  question_id: market.questionId,
  neg_risk_market_id: market.negRiskMarketId,
  tokens: ([0, 1] as const).map((outcome) => ({ token_id: market.tokens[outcome], outcome: market.outcomes[outcome] })),
})
