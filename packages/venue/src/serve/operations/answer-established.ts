import { LAST_CURSOR, PAGE } from '@augury/wire/limits'
import { ServiceError } from '@augury/wire/service-error'
import type { Trader } from '../access/identity.ts'
import type { Context } from './context.ts'

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
/** Always empty: programs are not paid for the trades that they bring. */
export const listBuilderTrades = emptyPage
/** The discovery service is up whenever this process answers. */
export const getCatalogueStatus = async () => 'OK' as const
/** Always empty: the exchange knows no sports. */
export const listSportsMarketTypes = async () => ({ marketTypes: [] })
/** Always empty: tags are not related, rules are not clarified, and the exchange knows no teams, sports or builders. */
export const listNothing = async () => []
const lastPage = { limit: PAGE, offset: 0, has_more: false as const, next_cursor: null }
/** Always empty: every position is in one market. */
export const listComboPositions = async () => ({ combos: [], pagination: lastPage })
/** The same of what changed them. */
export const listComboActivity = async () => ({ activity: [], pagination: lastPage })
/** The same of markets. */
export const listComboMarkets = async () => ({ markets: [], next_cursor: null })
/** Builders add no fees. */
export const getBuilderFees = async () => ({ builder_maker_fee_rate_bps: 0 as const, builder_taker_fee_rate_bps: 0 as const })

/** Features of another venue. Throws `unsupported`. */
export async function unsupported(): Promise<never> {
  throw new ServiceError('unsupported')
}
