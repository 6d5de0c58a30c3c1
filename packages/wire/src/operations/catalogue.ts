import { z } from 'zod'
import {
  catalogueEvent,
  catalogueMarket,
  cataloguePagination,
  catalogueSearch,
  catalogueSeries,
  catalogueTag,
  listedNumber,
} from '../catalogue.ts'
import { CATALOGUE_PAGE, CATALOGUE_PAGE_MAX, DEEPEST_EVENT, DEEPEST_SEARCH, SEARCH_PAGE, SEARCH_PAGE_MAX } from '../limits.ts'
import { venueOperation } from '../operation.ts'
import { cursor, figureText, flag, pageSize, several, skipped, strictQuery } from '../query.ts'
import { searchText } from '../scalars.ts'
import { cataloguePeopleOperations } from './catalogue-people.ts'

/**
 * Listings in the shape of the established discovery service, whose clients find there what they then trade. A state that is not asked for
 * selects nothing: open and closed markets are listed alike.
 */

const read = { method: 'GET', auth: 'public', refusals: [], repeatable: true, shed: 'ordinary' } as const
const lookUp = { ...read, cost: 'look-up' } as const
const manyRead = { ...read, cost: 'read-many', rateLimit: { budget: 'catalogue', of: 'address' } } as const
const moment = z.union([z.iso.date(), z.iso.datetime({ offset: true, local: true })]).transform((text) => {
  const hasZone = /(Z|[+-]\d\d:?\d\d)$/.test(text)
  return Date.parse(text.length === 10 || hasZone ? text : `${text}Z`)
})
const figure = figureText(z.coerce.number().min(0).max(1e12))
const ids = several(500).optional()
const numbers = several(500)
  .pipe(z.array(listedNumber('expected a number')))
  .optional()

/** By what a list may be ordered, as its rows name it. Underscores and capitals are of no account. */
export const CATALOGUE_FIGURES = ['id', 'createdat', 'updatedat', 'startdate', 'enddate', 'volume', 'volume24hr', 'liquidity'] as const
const SAME_FIGURE: Readonly<Record<string, string>> = {
  volumenum: 'volume',
  volumeclob: 'volume',
  volume24hrclob: 'volume24hr',
  liquiditynum: 'liquidity',
  liquidityclob: 'liquidity',
  creationdate: 'createdat',
}
const figureName = z
  .string()
  .transform((name) => {
    const plain = name.replaceAll('_', '').toLowerCase()
    return SAME_FIGURE[plain] ?? plain
  })
  .pipe(z.enum(CATALOGUE_FIGURES, { error: 'order fields are not valid' }))
const order = several(4)
  .pipe(z.array(figureName))
  .optional()
  .describe('volume, volume24hr, liquidity, startDate, endDate, createdAt, updatedAt or id; several with commas between.')

const ordered = { order, ascending: flag.default(true) }
const paged = { limit: pageSize(CATALOGUE_PAGE_MAX, CATALOGUE_PAGE), offset: skipped(DEEPEST_EVENT) }
const followed = { limit: pageSize(CATALOGUE_PAGE_MAX, CATALOGUE_PAGE), after_cursor: cursor.optional() }
const states = { active: flag.optional(), closed: flag.optional(), archived: flag.optional() }
const dates = {
  start_date_min: moment.optional(),
  start_date_max: moment.optional(),
  end_date_min: moment.optional(),
  end_date_max: moment.optional(),
}
const tags = { tag_id: numbers, tag_slug: z.string().max(200).optional(), exclude_tag_id: numbers }

const eventFilters = {
  ...ordered,
  ...states,
  ...dates,
  ...tags,
  id: numbers,
  slug: ids,
  featured: flag.optional(),
  series_id: numbers,
  series_slug: z.string().max(200).optional(),
  title_search: searchText(200).optional(),
  liquidity_min: figure.optional(),
  liquidity_max: figure.optional(),
  volume_min: figure.optional(),
  volume_max: figure.optional(),
}
const marketFilters = {
  ...ordered,
  ...states,
  ...dates,
  ...tags,
  id: numbers,
  slug: ids,
  condition_ids: ids,
  clob_token_ids: ids,
  question_ids: ids,
  include_tag: flag.default(false),
  liquidity_num_min: figure.optional(),
  liquidity_num_max: figure.optional(),
  volume_num_min: figure.optional(),
  volume_num_max: figure.optional(),
}
const byId = z.object({ id: z.string().min(1).max(128) })
const bySlug = z.object({ slug: z.string().min(1).max(200) })
const withTag = strictQuery({ include_tag: flag.default(false) })
const nothing = { ...lookUp, output: z.array(z.never()) } as const
/** Absent on the last page. */
const next_cursor = z.string().optional()

export const catalogueOperations = {
  listCatalogueEvents: venueOperation({
    ...manyRead,
    path: '/gamma/events',
    summary: 'Events with their markets, in the format of the established discovery service.',
    query: strictQuery({ ...eventFilters, ...paged }),
    output: z.array(catalogueEvent),
    refusals: ['too_many_items', 'rate_limited'],
  }),
  countCatalogueEvents: venueOperation({
    ...manyRead,
    path: '/gamma/events/pagination',
    summary: 'The same by page number, with the total number of events.',
    query: strictQuery({ ...eventFilters, ...paged }),
    output: z.object({ data: z.array(catalogueEvent), pagination: cataloguePagination }),
    refusals: ['too_many_items', 'rate_limited'],
  }),
  followCatalogueEvents: venueOperation({
    ...manyRead,
    path: '/gamma/events/keyset',
    summary: 'The same with a cursor: no item is skipped or repeated between pages.',
    query: strictQuery({ ...eventFilters, ...followed }),
    output: z.object({ events: z.array(catalogueEvent), next_cursor }),
    refusals: ['too_many_items', 'rate_limited'],
  }),
  getCatalogueEvent: venueOperation({
    ...read,
    path: '/gamma/events/{id}',
    summary: 'One event with its markets, by its number.',
    params: byId,
    output: catalogueEvent,
    refusals: ['unknown_event', 'rate_limited'],
    cost: 'look-up',
    rateLimit: { budget: 'catalogue', of: 'address' },
  }),
  getCatalogueEventBySlug: venueOperation({
    ...read,
    path: '/gamma/events/slug/{slug}',
    summary: 'One event with its markets, by its slug.',
    params: bySlug,
    output: catalogueEvent,
    refusals: ['unknown_event', 'rate_limited'],
    cost: 'look-up',
    rateLimit: { budget: 'catalogue', of: 'address' },
  }),
  listCatalogueEventTags: venueOperation({
    ...lookUp,
    path: '/gamma/events/{id}/tags',
    summary: 'Tags of an event.',
    params: byId,
    output: z.array(catalogueTag),
    refusals: ['unknown_event'],
  }),
  listCatalogueMarkets: venueOperation({
    ...manyRead,
    path: '/gamma/markets',
    summary: 'Markets with their event, in the format of the established discovery service.',
    query: strictQuery({ ...marketFilters, ...paged }),
    output: z.array(catalogueMarket),
    refusals: ['too_many_items', 'rate_limited'],
  }),
  followCatalogueMarkets: venueOperation({
    ...manyRead,
    path: '/gamma/markets/keyset',
    summary: 'The same with a cursor: no item is skipped or repeated between pages.',
    query: strictQuery({ ...marketFilters, ...followed }),
    output: z.object({ markets: z.array(catalogueMarket), next_cursor }),
    refusals: ['too_many_items', 'rate_limited'],
  }),
  getCatalogueMarketBySlug: venueOperation({
    ...lookUp,
    path: '/gamma/markets/slug/{slug}',
    summary: 'One market with its event, by its slug.',
    params: bySlug,
    query: withTag,
    output: catalogueMarket,
    refusals: ['unknown_market'],
  }),
  getCatalogueMarket: venueOperation({
    ...lookUp,
    path: '/gamma/markets/{id}',
    summary: 'One market with its event, by its number.',
    params: byId,
    query: withTag,
    output: catalogueMarket,
    refusals: ['unknown_market'],
  }),
  listCatalogueMarketTags: venueOperation({
    ...lookUp,
    path: '/gamma/markets/{id}/tags',
    summary: 'Tags of a market: those of its event.',
    params: byId,
    output: z.array(catalogueTag),
    refusals: ['unknown_market'],
  }),
  listCatalogueTags: venueOperation({
    ...lookUp,
    path: '/gamma/tags',
    summary: 'All tags of events, by their slugs.',
    query: strictQuery({ slug: ids, ...paged }),
    output: z.array(catalogueTag),
    refusals: ['too_many_items'],
  }),
  getCatalogueTagBySlug: venueOperation({
    ...lookUp,
    path: '/gamma/tags/slug/{slug}',
    summary: 'One tag, by its slug.',
    params: bySlug,
    output: catalogueTag,
    refusals: ['not_found'],
  }),
  getCatalogueTag: venueOperation({
    ...lookUp,
    path: '/gamma/tags/{id}',
    summary: 'One tag, by its number.',
    params: byId,
    output: catalogueTag,
    refusals: ['not_found'],
  }),
  listRelatedTags: venueOperation({
    ...nothing,
    path: '/gamma/tags/{id}/related-tags',
    summary: 'Related tags. Always empty.',
    params: byId,
  }),
  listRelatedTagsBySlug: venueOperation({
    ...nothing,
    path: '/gamma/tags/slug/{slug}/related-tags',
    summary: 'Related tags. Always empty.',
    params: bySlug,
  }),
  listTagsRelated: venueOperation({
    ...nothing,
    path: '/gamma/tags/{id}/related-tags/tags',
    summary: 'Related tags. Always empty.',
    params: byId,
  }),
  listTagsRelatedBySlug: venueOperation({
    ...nothing,
    path: '/gamma/tags/slug/{slug}/related-tags/tags',
    summary: 'Related tags. Always empty.',
    params: bySlug,
  }),
  listCatalogueSeries: venueOperation({
    ...lookUp,
    path: '/gamma/series',
    summary: 'All series of events, by their slugs. They never close.',
    query: strictQuery({ slug: ids, closed: flag.optional(), ...paged }),
    output: z.array(catalogueSeries),
    refusals: ['too_many_items'],
  }),
  getCatalogueSeries: venueOperation({
    ...lookUp,
    path: '/gamma/series/{id}',
    summary: 'One series, by its number.',
    params: byId,
    output: catalogueSeries,
    refusals: ['not_found'],
  }),
  searchCatalogue: venueOperation({
    ...manyRead,
    path: '/gamma/public-search',
    summary:
      'Events in which all words occur, and tags. Matches of the title come first, among equals those with the largest volume, unless `sort` says otherwise.',
    query: strictQuery({
      q: searchText(200),
      limit_per_type: pageSize(SEARCH_PAGE_MAX, SEARCH_PAGE),
      page: z.coerce
        .number()
        .int()
        .min(1)
        .catch(1)
        .pipe(z.number().max(DEEPEST_SEARCH))
        .default(1)
        .describe(`From 1 to ${DEEPEST_SEARCH}.`),
      events_status: z.string().max(32).optional().describe('active or closed; anything else selects nothing.'),
      events_tag: ids,
      exclude_tag_id: numbers,
      keep_closed_markets: z.unknown().optional(),
      search_tags: flag.default(true),
      sort: figureName.optional(),
      ascending: flag.default(false),
    }),
    output: catalogueSearch,
    refusals: ['too_many_items', 'rate_limited'],
  }),
  ...cataloguePeopleOperations,
}
