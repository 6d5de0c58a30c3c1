import { OPEN_ORDERS_BY_TIER } from '@augury/engine/accounts'
import * as limits from '@augury/wire/limits'
import type { VenueBudgetName, VenueOperation } from '@augury/wire/operation'
import { venueOperations } from '@augury/wire/operations/venue'
import type { ServiceLimits } from '@augury/wire/service-limits'
import { BUDGETS, tierOf } from '../access/budgets.ts'
import type { Trader } from '../access/identity.ts'
import type { Context } from './context.ts'

const rows: VenueOperation[] = Object.values(venueOperations)
const budgetNames = Object.keys(BUDGETS) as VenueBudgetName[]

/** The trader's rate limits and how much of them is used, and the limits of single requests. */
export async function getLimits(ctx: Context, trader: Trader): Promise<ServiceLimits> {
  const number = ctx.exchange.account(trader.account).tier
  const tier = tierOf(number)
  return {
    tier,
    budgets: budgetNames.map((name) => budget(ctx, trader, name)),
    open_orders: OPEN_ORDERS_BY_TIER[number] ?? OPEN_ORDERS_BY_TIER[0]!,
    order_batch: limits.ORDER_BATCH,
    cancel_batch: limits.CANCEL_BATCH,
    token_batch: limits.TOKEN_BATCH,
    lookup_batch: limits.LOOKUP_BATCH,
    socket_conditions: limits.SOCKET_CONDITIONS,
    body_bytes: limits.BODY_LIMIT,
    batch_body_bytes: limits.BATCH_BODY_LIMIT,
  }
}

/** Which rate limits the trader has. */
export const getRateLimitTier = async (ctx: Context, { account }: Trader) => ({ tier: tierOf(ctx.exchange.account(account).tier) })

function budget(ctx: Context, { account, clientAddress }: Trader, name: VenueBudgetName): ServiceLimits['budgets'][number] {
  const counted = rows.filter(({ rateLimit, sandbox }) => rateLimit?.budget === name && (ctx.settings.sandbox || !sandbox))
  const { of } = counted[0]!.rateLimit!
  const tier = tierOf(ctx.exchange.account(account).tier)
  // Calls are counted by address for every caller; only our own servers are exempt.
  const standing = ctx.budgets.take(
    name,
    of === 'account' ? account : clientAddress,
    clientAddress,
    of === 'account' || tier === 'internal' ? tier : 'standard',
    ctx.venue.now(),
    0,
  )
  return {
    name: BUDGETS[name].name,
    of,
    operations: counted.map(({ method, path }) => `${method} ${path}`),
    limit: standing?.policy.limit ?? null,
    window_seconds: BUDGETS[name].seconds,
    remaining: standing?.remaining ?? null,
    reset_seconds: standing?.resetSeconds ?? 0,
  }
}
