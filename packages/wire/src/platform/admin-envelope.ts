import { z } from 'zod'
import { limit, offset } from '../query.ts'
import { searchText } from '../scalars.ts'

/** What an action of an admin answers; a refusal is `{success: false, error, code}`. */
export const done = <Data extends z.ZodType>(data: Data) => z.object({ success: z.literal(true), data })
/** The answer of an action that has nothing to tell. */
export const success = z.object({ success: z.literal(true) })
/** A page of a list and how long all of it is. */
export const counted = <Row extends z.ZodType>(row: Row) => z.object({ data: z.array(row), totalCount: z.int() })

/** What every list of admin takes. `sortBy` is checked against the columns of the list: another is refused. */
export const listQuery = {
  limit: limit(100, 50),
  offset: offset(),
  search: searchText(200).default(''),
  sortBy: z.string().max(40).optional(),
  sortOrder: z.enum(['asc', 'desc']).catch('desc').default('desc'),
}

/** Rows of an admin's own tables are known by it. */
export const byId = z.object({ id: z.uuid() })
/** When something was, in ISO 8601. */
export const time = z.iso.datetime()
/** Who did something: as other admins see it. */
export const actor = z.object({ id: z.uuid(), address: z.string(), username: z.string().nullable() })
