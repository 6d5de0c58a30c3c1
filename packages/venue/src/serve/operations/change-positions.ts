import type { Command, Hex } from '@augury/engine/command'
import { namedRequestId, requestId } from '@augury/signing/order-id'
import { DecimalError, formatLots, formatUsdc, parseLots } from '@augury/units/decimal'
import { ServiceError } from '@augury/wire/service-error'
import { chain, type MaybePromise } from '../../base/maybe-promise.ts'
import type { Trader } from '../access/identity.ts'
import { caughtUp } from './caught-up.ts'
import type { Context } from './context.ts'
import { marketOf } from './list-markets.ts'
import { accepted } from './refused.ts'
import { submitOwn } from './submit-own.ts'

/** Shares as lots. Throws `invalid_amount` when they are zero or finer than 0.01. */
function lotsOf(amount: string): number {
  try {
    const lots = parseLots(amount)
    if (lots < 1) throw new ServiceError('invalid_amount')
    return lots
  } catch (error) {
    if (error instanceof DecimalError)
      throw new ServiceError('invalid_amount', error.isTooLarge ? {} : { text: 'shares come in steps of 0.01' })
    throw error
  }
}

/** Id of a request: made from its `ref` and content when it has a `ref`, else from its signature. */
const idOf = ({ retries }: Context, trader: Trader, ref: string | undefined, ...content: unknown[]): Hex =>
  ref === undefined ? retries.idOf(trader, content) : namedRequestId(trader.account, ref, content)

type Change = Extract<Command, { type: 'split' | 'merge' | 'convert' }>

/** Submits in the order of the account's requests. The same request again within two minutes has no second effect. */
async function submit(ctx: Context, trader: Trader, command: Change): Promise<void> {
  if (ctx.retries.isSpent(trader)) return sayRepeated(trader)
  const result = await ctx.lanes.run(
    trader.account,
    async () => {},
    () => submitOwn(ctx, trader.account, command),
  )
  const { events } = accepted(result)
  if (events.length === 1) sayRepeated(trader) // no entry of the ledger: only the answer
}

function sayRepeated({ answerHeaders }: Trader): void {
  answerHeaders['Idempotent-Replayed'] = 'true'
}

/** Balances of the trader in USDC and some conditions' tokens, including what orders hold. */
function balances(ctx: Context, trader: Trader, conditions: readonly Hex[]) {
  const { free, held } = ctx.exchange.balance(trader.account)
  const tokens = conditions.flatMap((condition) =>
    ([0, 1] as const).map((outcome) => {
      const shares = ctx.exchange.shares(trader.account, condition, outcome)
      return [ctx.markets.tokensOf(condition)[outcome], formatLots(shares.free + shares.held)]
    }),
  )
  return {
    success: true as const,
    balances: { usdc: formatUsdc(free + held), tokens: Object.fromEntries(tokens) as Record<string, string> },
  }
}

interface Split {
  body: { market: string; amount: string; ref?: string | undefined }
}

/** Turns USDC into as many Yes and No shares. */
export async function splitPosition(ctx: Context, trader: Trader, { body }: Split) {
  const { condition } = marketOf(ctx, body.market).market
  const lots = lotsOf(body.amount)
  const request = idOf(ctx, trader, body.ref, 'split', condition, lots)
  await submit(ctx, trader, { type: 'split', account: trader.account, condition, lots, request })
  return balances(ctx, trader, [condition])
}

/** Turns pairs of Yes and No shares back into USDC. */
export async function mergePosition(ctx: Context, trader: Trader, { body }: Split) {
  const { condition } = marketOf(ctx, body.market).market
  const lots = lotsOf(body.amount)
  const request = idOf(ctx, trader, body.ref, 'merge', condition, lots)
  await submit(ctx, trader, { type: 'merge', account: trader.account, condition, lots, request })
  return balances(ctx, trader, [condition])
}

/** Turns No shares of several markets of an event into USDC and Yes shares of the others. */
export async function convertPosition(
  ctx: Context,
  trader: Trader,
  { body }: { body: { event: string; market_ids: Hex[]; amount: string; ref?: string | undefined } },
) {
  const event = /^0x[0-9a-f]{64}$/.test(body.event) ? ctx.exchange.event(body.event as Hex) : null
  if (!event) throw new ServiceError('unknown_event')
  const conditions = [...new Set(body.market_ids)].sort() // a set: the same request whatever their order
  for (const id of conditions) if (!event.members.includes(id)) throw new ServiceError('unknown_market')
  const lots = lotsOf(body.amount)
  const request = idOf(ctx, trader, body.ref, 'convert', body.event, conditions, lots)
  await submit(ctx, trader, { type: 'convert', account: trader.account, event: body.event as Hex, conditions, lots, request })
  return balances(ctx, trader, event.members)
}

/**
 * Claims what resolved markets pay: one of them, or all in which the trader holds shares. The same request again within two minutes tells
 * what it was paid the first time.
 */
export async function redeemPosition(ctx: Context, trader: Trader, { body }: { body: { market?: string | undefined } | undefined }) {
  const named = body?.market === undefined ? null : marketOf(ctx, body.market)
  if (named && named.condition.mode !== 'resolved') throw new ServiceError('condition_not_resolved')
  const market = named?.market.condition ?? null
  const request = idOf(ctx, trader, undefined, 'redeem', market)
  const paid = await chain(paidBefore(ctx, trader, request, market), (before) => claim(ctx, trader, request, market, before))
  const redeemed = [...paid].map(([condition, micros]) => ({ market: condition as string, payout: formatUsdc(micros) }))
  return { success: true as const, redeemed }
}

/** Millionths of USDC by resolved market. */
type Payouts = ReadonlyMap<Hex, number>
const NONE: Payouts = new Map()

/** Under which claims of an account are tracked. */
const claimsOf = ({ account }: Trader): string => `claims of ${account}`

/**
 * Claims a market, or all, but for those that the request was paid `before`. Where nothing is held, nothing is written down. What a command
 * ahead of the claim paid is answered as if the claim had paid it, as it is when the request is repeated.
 */
async function claim(ctx: Context, trader: Trader, request: Hex, market: Hex | null, before: Payouts): Promise<Payouts> {
  const { account } = trader
  const submitOne = async (condition: Hex): Promise<[Hex, number]> => {
    const result = ctx.venue.submit({ type: 'redeem', account, condition, request: requestPart(request, condition) })
    const { events } = accepted(await ctx.underWay.track(claimsOf(trader), result))
    const entries = events.flatMap((event) => (event.type === 'entry' && event.account === account ? [event] : []))
    if (entries.length === 0) return [condition, (await paidFor(ctx, trader, request, condition)).get(condition) ?? 0]
    return [condition, entries.reduce((sum, { asset, delta }) => (asset === null ? sum + delta : sum), 0)]
  }
  const now = await ctx.lanes.run(
    account,
    () => {},
    () => {
      const held = resolvedHoldings(ctx, trader).filter((condition) => (market ?? condition) === condition && !before.has(condition))
      if (held.length === 0 && before.size > 0) sayRepeated(trader)
      return Promise.all(held.map(submitOne))
    },
  )
  return new Map([...(market ? [[market, 0] as const] : []), ...before, ...now])
}

/** What the same request was paid before, once earlier claims of the account are answered. */
const paidBefore = (ctx: Context, trader: Trader, request: Hex, market: Hex | null): MaybePromise<Payouts> =>
  chain(ctx.underWay.settled(trader.account, claimsOf(trader)), () =>
    market && !ctx.exchange.knowsRequest(requestPart(request, market)) ? NONE : paidFor(ctx, trader, request, market),
  )

/** The same from history: a resolved market pays an account once, for all that it has there. */
async function paidFor(ctx: Context, { account }: Trader, request: Hex, market: Hex | null): Promise<Payouts> {
  await caughtUp(ctx)
  const paid = new Map<Hex, number>()
  for (const { condition, redeemedLots, redeemed } of await ctx.venue.readModel.positions(account, market ? [market] : undefined)) {
    if (redeemedLots === 0 || !ctx.exchange.knowsRequest(requestPart(request, condition))) continue
    paid.set(condition, (paid.get(condition) ?? 0) + redeemed)
  }
  return paid
}

/** Resolved conditions in which the trader has shares. No account can get more of them. */
const resolvedHoldings = (ctx: Context, trader: Trader): Hex[] => [
  ...new Set(
    ctx.exchange
      .holdings(trader.account)
      .flatMap(({ condition }) => (ctx.exchange.condition(condition)?.mode === 'resolved' ? [condition] : [])),
  ),
]

/** The id of one command of a request that makes several. */
const requestPart = (request: Hex, condition: Hex): Hex => requestId(request, Buffer.from(condition.slice(2), 'hex'))
