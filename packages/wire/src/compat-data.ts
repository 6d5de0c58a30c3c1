import { z } from 'zod'
import { limit, offset, publicQuery, several } from './query.ts'
import { address, bytes32, side } from './scalars.ts'

/** Trades that may be passed over: they are read to be counted. */
const DEEPEST_TRADES = 3000

const upper = z.string().toUpperCase()

/** What clients of the established data service ask for trades by, who count pages. */
export const compatTradesQuery = publicQuery({
  user: address.optional(),
  market: several(100).pipe(z.array(bytes32)).optional(),
  eventId: z.string().optional(),
  side: upper.pipe(side).optional(),
  filterType: upper.optional(),
  filterAmount: z.coerce.number().min(0).max(1e9).optional(),
  limit: limit(),
  offset: offset(DEEPEST_TRADES),
})

export type CompatTradesQuery = z.output<typeof compatTradesQuery>
