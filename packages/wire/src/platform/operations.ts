import { z } from 'zod'
import { DEEPEST_EVENT } from '../limits.ts'
import { operation } from '../operation.ts'
import { page } from '../page.ts'
import { filter, limit, offset, publicQuery, several, yes } from '../query.ts'
import { searchText } from '../scalars.ts'
import { activityOperations } from './activity.ts'
import { affiliateOperations } from './affiliates.ts'
import { belongingOperations } from './belongings.ts'
import { commentOperations } from './comments.ts'
import { depositOperations } from './deposits.ts'
import { event, relatedEvent } from './event.ts'
import { marketMetadata, marketStatus } from './market.ts'
import { passkeyOperations } from './passkeys.ts'
import { priceReferenceOperations } from './price-reference.ts'
import { proxyWalletOperations } from './proxy-wallet.ts'
import { sessionOperations } from './session.ts'
import { signInOperations } from './sign-in.ts'
import { syncOperations } from './sync.ts'
import { tradingOperations } from './trading.ts'
import { withdrawalOperations } from './withdrawals.ts'

/** Most condition ids in one GET and one POST of markets/status. */
const STATUS_BATCH = { get: 100, post: 500 } as const

const slug = z.object({ slug: z.string().min(1).max(200) })
const locale = z.string().max(35).default('en').describe('Language of titles and names, where a translation is there.')
const text = searchText(200)
/** What an event may be filed under; nothing is under an empty word, which a form sends where none was chosen. */
const filedUnder = filter(text.min(1))

/** The routes of a deployment: the table its REST and tRPC adapters are made from. */
export const platformOperations = {
  listEvents: operation({
    method: 'GET',
    path: '/api/events',
    auth: 'optional',
    summary: 'Events by tag, category, search and status; a session adds bookmarks.',
    query: publicQuery({
      tag: filedUnder.transform((tag) => tag ?? 'trending').describe('`trending`, as without one, `new`, or the slug of a tag.'),
      mainTag: filedUnder.describe('Slug of a main category, in addition to `tag`.'),
      search: text
        .optional()
        .describe(
          'Words that must all occur, in any order: in the title, in the names of outcomes or in tags, also by their beginnings, other forms and usual short names. Matches of the title come first unless `sort` says otherwise.',
        ),
      status: text.default('active').describe('`active`, `resolved` or `all`.'),
      sort: text.optional().describe('`trending`, `volume_24h`, `volume`, `created_at` or `end_date`.'),
      bookmarked: yes.describe('`true` for the member’s bookmarks alone; without a session there are none.'),
      offset: offset().describe(`Rows to skip. In a list of more than ${DEEPEST_EVENT}, at most so many.`),
      limit: limit(128, 32),
      locale,
    }),
    output: z.array(event),
    refusals: ['invalid_status_filter', 'invalid_sort_filter'],
    repeatable: true,
    cacheSeconds: 60,
  }),
  marketMetadata: operation({
    method: 'GET',
    path: '/api/events/{slug}/market-metadata',
    auth: 'public',
    summary: 'Metadata of one market of an event; 404 with `{data: null}` if the event has no such market.',
    // Of any length: an unknown slug has a specified answer, which is not that of a malformed one.
    params: z.object({ slug: z.string().min(1) }),
    anyText: ['conditionId'],
    query: publicQuery({ conditionId: z.string().optional().describe('Required: the id of the market, in any case.') }),
    output: z.object({ data: marketMetadata.nullable() }),
    answers: { 404: z.object({ data: z.null() }) },
    refusals: ['missing_condition_id', 'event_not_found'],
    repeatable: true,
  }),
  relatedEvents: operation({
    method: 'GET',
    path: '/api/events/{slug}/related',
    auth: 'public',
    summary: 'Up to three active events that share most tags with this one.',
    params: slug,
    query: publicQuery({ tag: filedUnder.describe('Slug of a tag that they must have.'), locale }),
    output: z.array(relatedEvent),
    refusals: [],
    repeatable: true,
    cacheSeconds: 60,
  }),
  marketsStatus: operation({
    method: 'GET',
    path: '/api/markets/status',
    auth: 'public',
    summary: 'Whether markets accept trades and whether they are resolved; unknown ids are left out.',
    query: publicQuery({ conditionIds: several(STATUS_BATCH.get, 'Too many condition ids.').default([]) }),
    output: page(marketStatus),
    refusals: [],
    repeatable: true,
  }),
  marketsStatusBatch: operation({
    method: 'POST',
    path: '/api/markets/status',
    auth: 'public',
    summary: 'The same for a larger batch.',
    body: z.strictObject({ conditionIds: z.array(z.string().max(128)).max(STATUS_BATCH.post, 'Too many condition ids.') }),
    output: page(marketStatus),
    refusals: [],
    repeatable: true,
  }),
  ...signInOperations,
  ...passkeyOperations,
  ...sessionOperations,
  ...tradingOperations,
  ...belongingOperations,
  ...withdrawalOperations,
  ...depositOperations,
  ...commentOperations,
  ...activityOperations,
  ...priceReferenceOperations,
  ...affiliateOperations,
  ...proxyWalletOperations,
  ...syncOperations,
} as const
