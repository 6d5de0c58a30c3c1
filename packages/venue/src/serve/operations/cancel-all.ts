import type { CommandOf, Hex, Outcome } from '@augury/engine/command'
import type { CancelManyResult } from '@augury/wire/cancel-result'
import type { Trader } from '../access/identity.ts'
import type { Context } from './context.ts'
import { accepted } from './refused.ts'

const nothing: CancelManyResult = { canceled: [], not_canceled: {} }

/** Cancels all open orders of the trader. */
export const cancelAll = (ctx: Context, trader: Trader): Promise<CancelManyResult> =>
  submit(ctx, { type: 'cancel_all', account: trader.account, condition: null, outcome: null, reason: 'cancel_all' })

/** Cancels all open orders of the trader in a market, or on one of its tokens. Does nothing for an unknown market or token. */
export async function cancelMarketOrders(
  ctx: Context,
  trader: Trader,
  { body }: { body: { market?: string | undefined; asset_id?: string | undefined } },
): Promise<CancelManyResult> {
  const token = body.asset_id === undefined ? null : ctx.markets.token(body.asset_id)
  const market = body.market === undefined ? null : ctx.markets.market(body.market)
  const condition: Hex | undefined = market?.condition ?? token?.condition
  const outcome: Outcome | null = token?.outcome ?? null
  const unknown = (body.asset_id !== undefined && !token) || (body.market !== undefined && !market)
  if (unknown || !condition || (token && token.condition !== condition) || !ctx.exchange.condition(condition)) return nothing
  return submit(ctx, { type: 'cancel_all', account: trader.account, condition, outcome, reason: 'market_cancel' })
}

/**
 * Journals nothing where nothing is open: the operation has no budget. The account's earlier orders may still open something, and an equal
 * request may be ending it, so their results are awaited first.
 */
async function submit({ exchange, lanes, underWay, venue }: Context, command: CommandOf<'cancel_all'>): Promise<CancelManyResult> {
  const { account, condition, outcome } = command
  const scope = `${account} ${condition} ${outcome}`
  const isOpen = () => exchange.hasOpenOrder(account, condition, outcome)
  const result = await lanes.run(
    account,
    () => (isOpen() && !underWay.has(scope) ? false : underWay.settled(account, scope)),
    async (isSettled) => (isSettled && !isOpen() ? null : underWay.track(scope, venue.submit(command))),
  )
  if (result === null) return nothing
  const ended = accepted(result).events.flatMap((event) => (event.type === 'ended' ? [event.order] : []))
  return { canceled: ended.flatMap(({ orderId, state }) => (state === 'cancelled' ? [orderId] : [])), not_canceled: {} } // others expired
}
