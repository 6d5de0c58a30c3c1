import { z } from 'zod'
import { seq } from './scalars.ts'

/** A page of a list: `next_cursor` is `LTE=` on the last one. */
export const page = <Row extends z.ZodType>(row: Row) => z.object({ data: z.array(row), next_cursor: z.string() })

/** A page with its size, as established clients expect it. */
export const countedPage = <Row extends z.ZodType>(row: Row) =>
  z.object({ limit: z.int(), count: z.int(), next_cursor: z.string(), data: z.array(row) })

/**
 * A page of the log after a given position, complete up to `seq`. `epoch` is the timeline that wrote `seq`, `after_epoch` the one that wrote the
 * given position, or 0 where the log does not have it. A reader continues after `seq` and compares the next `after_epoch` with this `epoch`: if
 * they differ, history was rewritten below what it has read.
 */
export const logPage = <Row extends z.ZodType>(row: Row) =>
  z.object({ data: z.array(row), seq, epoch: z.int(), after_epoch: z.int(), next_cursor: z.string() })
