import { transactionHash } from '@augury/signing/transaction-hash'
import { mulDivHalfUp } from '@augury/units/mul-div'
import { ONE } from '@augury/units/price'
import type { Activity } from '@augury/wire/data'
import type { Input } from '@augury/wire/operation'
import type { dataOperations } from '@augury/wire/operations/data'
import { getAddress } from 'viem'
import type { Movement, MovementFilter, OrderFill } from '../../record/history/read-accounts.ts'
import type { Visitor } from '../access/identity.ts'
import { sharesNumber, usdcNumber } from '../views/position-view.ts'
import { caughtUp } from './caught-up.ts'
import type { Context } from './context.ts'
import { conditionsOf } from './list-positions.ts'
import { leastOf } from './list-trades.ts'

const person = { name: '', pseudonym: '', bio: '', profileImage: '' }
/** Established outcome index of activity that concerns neither outcome. */
const NO_OUTCOME = 999

/** Lists what changed an account's balances, newest first by default. Waits like positions, which are shown beside it. */
export async function listActivity(
  ctx: Context,
  _: Visitor,
  { query }: { query: Input<typeof dataOperations.listActivity>['query'] & { takerOnly?: boolean; asset_id?: string | undefined } },
): Promise<Activity[]> {
  const token = query.asset_id === undefined ? undefined : ctx.markets.token(query.asset_id)
  if (token === null || (token && query.market && !conditionsOf(ctx, query.market)!.includes(token.condition))) return []
  const conditions = token ? [token.condition] : conditionsOf(ctx, query.market)
  const least = leastOf(query)
  if (!least) return []
  await caughtUp(ctx)
  const filter: MovementFilter = {
    ...least,
    takerOnly: query.takerOnly ?? false,
    byOrder: query.groupBy === 'ORDER',
    ...(query.type?.length ? { types: query.type } : {}),
    ...(conditions ? { conditions } : {}),
    ...(token ? { outcome: token.outcome } : {}),
    ...(query.side ? { side: query.side } : {}),
    // Both ends of the requested range are included.
    ...(query.end === undefined ? {} : { before: (query.end + 1) * 1000 }),
    ...(query.start === undefined ? {} : { after: query.start * 1000 - 1 }),
  }
  const page = { limit: query.limit, offset: query.offset, oldestFirst: query.sortDirection === 'ASC' }
  const rows = await ctx.venue.readModel.movements(ctx.wallets.accountOf(query.user), filter, page)
  return rows.map((row) => view(ctx, query.user, row))
}

function view(
  ctx: Context,
  user: string,
  { seq, n, at, type, condition, several, outcome, side, lots, usdc, fee, fills }: Movement,
): Activity {
  const about = condition && ctx.markets.market(condition)
  const market = several ? null : about // for several markets the row names the event
  const event = about?.metadata.event
  return {
    proxyWallet: getAddress(user),
    timestamp: Math.floor(at / 1000),
    timestamp_iso: new Date(at).toISOString(),
    conditionId: market?.condition ?? '',
    type,
    size: sharesNumber(lots),
    usdcSize: usdcNumber(usdc),
    fee: usdcNumber(fee),
    transactionHash: transactionHash(ctx.venue.stream, seq, n),
    price: lots > 0 ? mulDivHalfUp(usdc, 100, lots) / 1e6 : 0,
    asset: market && outcome !== null ? market.tokens[outcome] : '',
    side: side ?? '',
    title: market?.metadata.question ?? event?.title ?? '',
    slug: market?.questionSlug ?? '',
    icon: market?.metadata.icon ?? event?.icon ?? '',
    eventSlug: event?.slug ?? '',
    outcome: market && outcome !== null ? market.outcomes[outcome] : '',
    outcomeIndex: outcome ?? NO_OUTCOME,
    ...person,
    ...(fills && { fills: fills.map((fill) => fillView(ctx, fill)) }),
  }
}

const fillView = (ctx: Context, { seq, n, at, price, lots, fee }: OrderFill): NonNullable<Activity['fills']>[number] => ({
  timestamp: Math.floor(at / 1000),
  size: sharesNumber(lots),
  price: price / ONE,
  usdcSize: usdcNumber(price * lots),
  fee: usdcNumber(fee),
  transactionHash: transactionHash(ctx.venue.stream, seq, n),
})
