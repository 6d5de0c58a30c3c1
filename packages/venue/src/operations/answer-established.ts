import { LAST_CURSOR, PAGE } from '@augury/wire/limits'
import { ServiceError } from '@augury/wire/service-error'
import type { Trader } from '../access/identity.ts'
import type { Context } from '../context.ts'

/** Operations of established clients about features that this venue does not have. */

const emptyPage = async () => ({ limit: PAGE, count: 0, next_cursor: LAST_CURSOR, data: [] })

/** Always empty: this exchange never migrated. */
export const listPreMigrationOrders = emptyPage
/** Orders earn no rewards. */
export const getOrderScoring = async () => ({ scoring: false })
/** The same for many. */
export const getOrdersScoring = async (_ctx: Context, _trader: Trader, { body }: { body: string[] }): Promise<Record<string, boolean>> =>
  Object.fromEntries(body.map((id) => [id, false]))
/** Always empty: there are no rewards. */
export const listEarnings = emptyPage
/** The same as totals. */
export const listTotalEarnings = async () => []
/** Always empty: no market has rewards. */
export const listRewardedMarkets = emptyPage
/** Always empty. */
export const getRewardPercentages = async () => ({})
/** Always empty. */
export const listCurrentRewards = emptyPage
/** Always empty. */
export const listMarketRewards = emptyPage
/** Always empty: tags are not related, and the exchange knows no comments, teams or sports. */
export const listNothing = async () => []
/** Builders add no fees. */
export const getBuilderFees = async () => ({ builder_maker_fee_rate_bps: 0 as const, builder_taker_fee_rate_bps: 0 as const })

/** Features of another venue. Throws `unsupported`. */
export async function unsupported(): Promise<never> {
  throw new ServiceError('unsupported')
}
