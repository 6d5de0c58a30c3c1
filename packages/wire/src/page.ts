import { z } from 'zod'

/** A page of a list: `next_cursor` is `LTE=` on the last one. */
export const page = <Row extends z.ZodType>(row: Row) => z.object({ data: z.array(row), next_cursor: z.string() })

/** A page that also tells its size, as established clients expect it. */
export const countedPage = <Row extends z.ZodType>(row: Row) =>
  z.object({ limit: z.int(), count: z.int(), next_cursor: z.string(), data: z.array(row) })
