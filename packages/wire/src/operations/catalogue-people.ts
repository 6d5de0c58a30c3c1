import { z } from 'zod'
import { catalogueComment, publicProfile } from '../catalogue-people.ts'
import { CATALOGUE_PAGE, CATALOGUE_PAGE_MAX, DEEPEST_EVENT } from '../limits.ts'
import { venueOperation } from '../operation.ts'
import { flag, pageSize, several, skipped, strictQuery } from '../query.ts'
import { address } from '../scalars.ts'

/** What clients of the established discovery service read beside events and markets: people, comments, and lists that are empty here. */

const read = { method: 'GET', auth: 'public', refusals: [], repeatable: true } as const
const nothing = { ...read, output: z.array(z.never()) } as const
const paged = {
  order: several(4).optional().describe('createdAt, by which they are ordered in any case.'),
  ascending: flag.default(false),
  limit: pageSize(CATALOGUE_PAGE_MAX, CATALOGUE_PAGE),
  offset: skipped(DEEPEST_EVENT),
}
const positions = { get_positions: z.unknown().optional() }
const comments = { ...read, output: z.array(catalogueComment), refusals: ['service_unavailable', 'rate_limited'] } as const

export const cataloguePeopleOperations = {
  getCatalogueStatus: venueOperation({
    ...read,
    path: '/gamma/status',
    summary: 'Answers OK.',
    output: z.literal('OK'),
    cost: 'look-up',
    shed: 'ordinary',
  }),
  listCatalogueComments: venueOperation({
    ...comments,
    path: '/gamma/comments',
    summary: 'Comments on an event, newest first unless `ascending` is true. None where the exchange has no site.',
    query: strictQuery({
      ...paged,
      ...positions,
      parent_entity_type: z.string().max(16).optional().describe('Event; others have no comments.'),
      parent_entity_id: z
        .string()
        .regex(/^\d{1,16}$/, 'expected a number')
        .optional()
        .describe('Number of the event.'),
      holders_only: z.unknown().optional(),
    }),
    cost: 'read-many',
    shed: 'ordinary',
    rateLimit: { budget: 'catalogue', of: 'address' },
  }),
  listCommentsOfUser: venueOperation({
    ...comments,
    path: '/gamma/comments/user_address/{address}',
    summary: 'Comments that an address wrote, newest first unless `ascending` is true. None where the exchange has no site.',
    params: z.object({ address }),
    query: strictQuery(paged),
    cost: 'read-many',
    shed: 'ordinary',
    rateLimit: { budget: 'catalogue', of: 'address' },
  }),
  getCatalogueComment: venueOperation({
    ...comments,
    path: '/gamma/comments/{id}',
    summary: 'One comment by its ID, as a list; an unknown ID has an empty list.',
    params: z.object({ id: z.string().min(1).max(128) }),
    query: strictQuery(positions),
    cost: 'read-many',
    shed: 'ordinary',
    rateLimit: { budget: 'catalogue', of: 'address' },
  }),
  getPublicProfile: venueOperation({
    ...read,
    path: '/gamma/public-profile',
    summary: 'The profile of an address: its name and when its account was created.',
    query: strictQuery({ address }),
    output: publicProfile,
    refusals: ['not_found'],
    cost: 'read-many',
    shed: 'ordinary',
  }),
  getProfile: venueOperation({
    ...read,
    path: '/profiles/{address}',
    summary: 'The same, by the path.',
    params: z.object({ address }),
    output: publicProfile,
    refusals: ['not_found'],
    cost: 'read-many',
    shed: 'ordinary',
  }),
  listTeams: venueOperation({
    ...nothing,
    path: '/gamma/teams',
    summary: 'Teams. Always empty.',
    cost: 'look-up',
    shed: 'ordinary',
  }),
  listSports: venueOperation({
    ...nothing,
    path: '/gamma/sports',
    summary: 'Sports. Always empty.',
    cost: 'look-up',
    shed: 'ordinary',
  }),
  listSportsMarketTypes: venueOperation({
    ...read,
    path: '/gamma/sports/market-types',
    summary: 'Types of sports markets. Always empty.',
    output: z.object({ marketTypes: z.array(z.never()) }),
    cost: 'look-up',
    shed: 'ordinary',
  }),
  listMarketClarifications: venueOperation({
    ...nothing,
    path: '/gamma/market-clarifications',
    summary: 'Clarifications of rules. Always empty, because the rules of a market never change.',
    cost: 'look-up',
    shed: 'ordinary',
  }),
}
