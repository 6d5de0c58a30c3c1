import { z } from 'zod'
import { choice, limit, offset } from '../query.ts'
import { searchText } from '../scalars.ts'

/** What every refusal of an admin route also says. */
export const refusedAction = z.object({ success: z.literal(false) })
/** Response of an admin action with data; a refusal is `{success: false, error, code}`. */
export const done = <Data extends z.ZodType>(data: Data) => z.object({ success: z.literal(true), data })
/** Response of an admin action without data. */
export const success = z.object({ success: z.literal(true) })
/** A page of a list, with the total count. */
export const counted = <Row extends z.ZodType>(row: Row) => z.object({ data: z.array(row), totalCount: z.int() })

/** Query of every admin list. Each list checks `sortBy` against its columns. */
export const listQuery = {
  limit: limit(100, 50),
  offset: offset(),
  search: searchText(200).default('').describe('Text that rows must have.'),
  sortBy: z.string().max(40).optional().describe('Column by which rows are sorted; a refusal names those that there are.'),
  sortOrder: choice(['asc', 'desc'], 'desc').describe('Upwards or downwards.'),
}

/** Parameters of a route about one row. */
export const byId = z.object({ id: z.uuid() })
/** A time in ISO 8601. */
export const time = z.iso.datetime()
/** The user behind an action, as shown to admins. */
export const actor = z.object({ id: z.uuid(), address: z.string(), username: z.string().nullable() })
