import { z } from 'zod'
import { CHART_LINES } from '../limits.ts'
import { operation } from '../operation.ts'
import { publicQuery, several } from '../query.ts'
import { bytes32, searchText } from '../scalars.ts'
import { accountOperations } from './account.ts'
import { affiliatePageQueries } from './affiliates.ts'
import { chanceLine, event, mainTag } from './event.ts'
import { portfolioOperations } from './portfolio.ts'
import { resolutionPageQueries } from './resolution.ts'
import { swapOperations } from './swap.ts'

/** Queries of pages that are not routes of the contract; tRPC only. */
const pageQuery = { method: 'GET', auth: 'public', repeatable: true } as const
const slug = searchText(200).min(1)

/** The queries that only the site's own pages use. */
export const platformPageQueries = {
  eventBySlug: operation({
    ...pageQuery,
    auth: 'optional',
    path: '/trpc/eventBySlug',
    summary: 'One event with its rules and the rules of its markets.',
    query: publicQuery({ slug, locale: z.string().max(35).optional() }),
    output: event,
    refusals: ['event_not_found'],
  }),
  mainTags: operation({
    ...pageQuery,
    path: '/trpc/mainTags',
    summary: 'The main categories that have active events, with their sub-categories.',
    query: publicQuery({ locale: z.string().max(35).optional() }),
    output: z.array(mainTag),
    refusals: [],
  }),
  marketContexts: operation({
    ...pageQuery,
    path: '/trpc/marketContexts',
    summary: 'What a model wrote for readers about the markets of an event, where the site shows it.',
    query: publicQuery({ slug }),
    output: z.array(z.object({ condition_id: z.string(), text: z.string(), generated_at: z.iso.datetime() })),
    refusals: [],
  }),
  chanceLines: operation({
    ...pageQuery,
    path: '/trpc/chanceLines',
    summary: 'Price history of the leading markets of an event, oldest point first.',
    query: publicQuery({
      slug,
      range: z.enum(['1h', '6h', '1d', '1w', '1m', 'all']).default('all'),
      of: several(CHART_LINES, 'Too many markets.')
        .pipe(z.array(bytes32))
        .optional()
        .describe('Condition ids of the markets, instead of the leading ones.'),
    }),
    output: z.array(chanceLine),
    refusals: ['event_not_found'],
  }),
  ...accountOperations,
  ...portfolioOperations,
  ...affiliatePageQueries,
  ...resolutionPageQueries,
  ...swapOperations,
} as const
