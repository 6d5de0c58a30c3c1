import { z } from 'zod'
import type { RefusalCode } from '../refusals.ts'
import { chanceLine, event, mainTag } from './event.ts'

/** A question that only our own pages ask, over tRPC. */
export interface PageQuery {
  summary: string
  input: z.ZodType
  output: z.ZodType
  refusals: readonly RefusalCode[]
}

const pageQuery = <const Row extends PageQuery>(row: Row): Row => row

/** What pages read beyond the routes of the contract. */
export const platformPageQueries = {
  eventBySlug: pageQuery({
    summary: 'One event with its rules and the rules of its markets.',
    input: z.object({ slug: z.string().max(200) }),
    output: event,
    refusals: ['event_not_found'],
  }),
  mainTags: pageQuery({
    summary: 'The main categories that have active events, with their sub-categories.',
    input: z.object({}).default({}),
    output: z.array(mainTag),
    refusals: [],
  }),
  chanceLines: pageQuery({
    summary: 'How the chance of the leading markets of an event went, oldest point first.',
    input: z.object({ slug: z.string().max(200), range: z.enum(['1h', '6h', '1d', '1w', '1m', 'all']).default('all') }),
    output: z.array(chanceLine),
    refusals: ['event_not_found'],
  }),
} as const
