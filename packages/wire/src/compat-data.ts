import { z } from 'zod'
import { listedNumber } from './catalogue.ts'
import { activityType } from './data.ts'
import { dataOperations } from './operations/data.ts'
import { flag, limit, marketIds, offset, publicQuery, secondsText, several } from './query.ts'
import { address, amount, side } from './scalars.ts'

/** Largest offset in a list of trades, as those before it are read to be counted. */
const DEEPEST_TRADES = 3000

const upper = z.string().toUpperCase()
/** Numbers of events, as the catalogue tells them; narrows like the markets of those. */
const eventId = several(20)
  .pipe(z.array(listedNumber('expected the number of an event')).min(1))
  .optional()

/** Query for trades of the established data service, whose clients count pages. */
export const compatTradesQuery = publicQuery({
  user: address.optional(),
  market: marketIds(100).optional(),
  eventId,
  side: upper.pipe(side).optional(),
  takerOnly: flag.optional(),
  filterType: upper.pipe(z.enum(['CASH', 'TOKENS'])).optional(),
  filterAmount: amount.optional(),
  start: secondsText.optional(),
  end: secondsText.optional(),
  limit: limit(),
  offset: offset(DEEPEST_TRADES),
}).refine(({ filterType, filterAmount }) => (filterType === undefined) === (filterAmount === undefined), {
  path: ['filterAmount'],
  error: 'goes with filterType',
})

const { listPositions, listClosedPositions, listActivity, getLiveVolume } = dataOperations
/** Queries for the rest: ours, and the numbers of events. */
export const compatPositionsQuery = listPositions.query.extend({ eventId })
export const compatClosedPositionsQuery = listClosedPositions.query.extend({ eventId })
/** Kinds that only the established service has are none of ours, and no mistake. */
export const compatActivityQuery = listActivity.query.extend({
  eventId,
  type: several(32)
    .transform((types) => types.map((type) => activityType.safeParse(type.toUpperCase()).data ?? null))
    .optional(),
})
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
