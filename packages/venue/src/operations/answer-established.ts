import { LAST_CURSOR, PAGE } from '@augury/wire/limits'
import { ServiceError } from '@augury/wire/service-error'
import type { Trader } from '../access/identity.ts'
import type { Context } from '../context.ts'

/** Answers to what established clients may ask of any venue, and that this one has none of. */

const emptyPage = async () => ({ limit: PAGE, count: 0, next_cursor: LAST_CURSOR, data: [] })

/** None: this exchange never moved. */
export const listPreMigrationOrders = emptyPage
/** No order earns rewards. */
export const getOrderScoring = async () => ({ scoring: false })
/** The same for many. */
export const getOrdersScoring = async (_ctx: Context, _trader: Trader, { body }: { body: string[] }): Promise<Record<string, boolean>> =>
  Object.fromEntries(body.map((id) => [id, false]))
/** Nobody earned anything. */
export const listEarnings = emptyPage
/** The same, added up. */
export const listTotalEarnings = async () => []
/** No market has rewards. */
export const listRewardedMarkets = emptyPage
/** Nobody has a part of them. */
export const getRewardPercentages = async () => ({})
/** No market has rewards. */
export const listCurrentRewards = emptyPage
/** This one neither. */
export const listMarketRewards = emptyPage
/** Builders add nothing to fees. */
export const getBuilderFees = async () => ({ builder_maker_fee_rate_bps: 0 as const, builder_taker_fee_rate_bps: 0 as const })

/** Features of another venue. Throws `unsupported`. */
export async function unsupported(): Promise<never> {
  throw new ServiceError('unsupported')
}
