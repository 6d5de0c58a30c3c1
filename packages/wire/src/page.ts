import { z } from 'zod'
import { seq } from './scalars.ts'

/** A page of a list: `next_cursor` is `LTE=` on the last one. */
export const page = <Row extends z.ZodType>(row: Row) => z.object({ data: z.array(row), next_cursor: z.string() })

/** A page that also tells its size, as established clients expect it. */
export const countedPage = <Row extends z.ZodType>(row: Row) =>
  z.object({ limit: z.int(), count: z.int(), next_cursor: z.string(), data: z.array(row) })

/**
 * A page of what the log holds after a position: whole up to `seq`. `epoch` is the timeline on which that position was written, `after_epoch`
 * that of the position after which was asked; 0 where the log does not hold it. A reader keeps the two of `seq` and asks after them the next
 * time: another `after_epoch` says that history was rewritten below what it has read.
 */
export const logPage = <Row extends z.ZodType>(row: Row) =>
  z.object({ data: z.array(row), seq, epoch: z.int(), after_epoch: z.int(), next_cursor: z.string() })
