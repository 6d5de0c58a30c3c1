import { z } from 'zod'
import { listedNumber } from './catalogue.ts'
import { activityType } from './data.ts'
import { COMPAT_PAGE_MAX, OFFSET_MAX } from './limits.ts'
import { dataOperations } from './operations/data.ts'
import { flag, marketIds, pageSize, publicQuery, secondsText, several, skipped } from './query.ts'
import { address, amount, side, uint256 } from './scalars.ts'

/** The established bounds of a page and of what comes before it. */
const compatPage = { limit: pageSize(COMPAT_PAGE_MAX), offset: skipped(OFFSET_MAX) }

const upper = z.string().toUpperCase()
/** Numbers of events, as the catalogue tells them; narrows like the markets of those. */
const eventId = several(20)
  .pipe(z.array(listedNumber('expected the number of an event')).min(1))
  .optional()

/** Query for trades of the established data service, whose clients count pages. */
export const compatTradesQuery = publicQuery({
  user: address.optional(),
  market: marketIds(100).optional(),
  asset_id: uint256.optional(),
  /** Who took: the same as `user` with `takerOnly`. */
  taker: address.optional(),
  /** Who made: rows are in the terms of that account. */
  maker: address.optional(),
  eventId,
  side: upper.pipe(side).optional(),
  takerOnly: flag.default(true),
  filterType: upper.pipe(z.enum(['CASH', 'TOKENS'])).optional(),
  filterAmount: amount.optional(),
  start: secondsText.optional(),
  end: secondsText.optional(),
  ...compatPage,
}).refine(({ filterType, filterAmount }) => (filterType === undefined) === (filterAmount === undefined), {
  path: ['filterAmount'],
  error: 'goes with filterType',
})

const { listPositions, listClosedPositions, listActivity, listHolders, getLiveVolume } = dataOperations
/** Queries for the rest: ours, and the numbers of events. */
export const compatPositionsQuery = listPositions.query.extend({ eventId, ...compatPage })
export const compatClosedPositionsQuery = listClosedPositions.query.extend({ eventId, ...compatPage })
/** Kinds that only the established service has are none of ours, and no mistake. */
export const compatActivityQuery = listActivity.query.extend({
  eventId,
  ...compatPage,
  type: several(32)
    .transform((types) => types.map((type) => activityType.safeParse(type.toUpperCase()).data ?? null))
    .optional(),
})
export const compatHoldersQuery = listHolders.query.extend(compatPage)
/** There it is asked for by the number of an event. */
export const compatLiveVolumeQuery = getLiveVolume.query.partial().extend({ id: eventId })

/** The keys that narrow any of them to markets. */
export interface CompatMarketsQuery {
  market?: string[] | undefined
  eventId?: string[] | undefined
  id?: string[] | undefined
}
export type CompatTradesQuery = z.output<typeof compatTradesQuery>
export type CompatActivityQuery = z.output<typeof compatActivityQuery>
