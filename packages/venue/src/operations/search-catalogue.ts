import type { CatalogueSearch, CatalogueSeries, CatalogueTag } from '@augury/wire/catalogue'
import type { Input } from '@augury/wire/operation'
import type { catalogueOperations } from '@augury/wire/operations/catalogue'
import { ServiceError } from '@augury/wire/service-error'
import type { Visitor } from '../access/identity.ts'
import type { ListedEvent } from '../catalogue.ts'
import type { Context } from '../context.ts'
import { inTurns } from '../in-turns.ts'
import { seriesView, tagView } from '../views/catalogue-view.ts'
import { eventsOf, eventViews, numbered, SEEN_AT_ONCE } from './list-catalogue.ts'
import { inOrder } from './select-catalogue.ts'

type Asked<Name extends keyof typeof catalogueOperations> = Input<(typeof catalogueOperations)[Name]>

function only<Named>(all: readonly Named[], passes: (each: Named) => boolean): Named {
  const found = all.find(passes)
  if (!found) throw new ServiceError('not_found')
  return found
}

/** All tags. */
export async function listCatalogueTags(ctx: Context, _: Visitor, { query }: Asked<'listCatalogueTags'>): Promise<CatalogueTag[]> {
  const { slug: slugs, offset, limit } = query
  const { tags } = await ctx.catalogue.index()
  return tags
    .filter(({ slug }) => !slugs || slugs.includes(slug))
    .slice(offset, offset + limit)
    .map(tagView)
}

/** One tag by its number. */
export const getCatalogueTag = async (ctx: Context, _: Visitor, input: Asked<'getCatalogueTag'>): Promise<CatalogueTag> =>
  tagView(only((await ctx.catalogue.index()).tags, numbered(input)))

/** One tag by its slug. */
export const getCatalogueTagBySlug = async (ctx: Context, _: Visitor, { params }: Asked<'getCatalogueTagBySlug'>): Promise<CatalogueTag> =>
  tagView(only((await ctx.catalogue.index()).tags, ({ slug }) => slug === params.slug))

/** All series. */
export async function listCatalogueSeries(ctx: Context, _: Visitor, { query }: Asked<'listCatalogueSeries'>): Promise<CatalogueSeries[]> {
  const { slug: slugs, closed, offset, limit } = query
  if (closed === true) return []
  const { series } = await ctx.catalogue.index()
  return series
    .filter(({ slug }) => !slugs || slugs.includes(slug))
    .slice(offset, offset + limit)
    .map(seriesView)
}

/** One series by its number. */
export const getCatalogueSeries = async (ctx: Context, _: Visitor, input: Asked<'getCatalogueSeries'>): Promise<CatalogueSeries> =>
  seriesView(only((await ctx.catalogue.index()).series, numbered(input)))

/** Whether all words occur in an event's title, its tags, or one of its questions. */
function mentions({ tags, markets }: ListedEvent, words: readonly string[]): boolean {
  const texts = [
    markets[0]!.market.metadata.event.title,
    ...tags.map(({ name }) => name),
    ...markets.map(({ market }) => market.metadata.question),
  ]
  const text = texts.join('\n').toLowerCase()
  return words.every((word) => text.includes(word))
}

/** Tags whose events are counted in one turn of the event loop. */
const TAGS_AT_ONCE = 5
const CLOSED: Readonly<Record<string, boolean>> = { active: false, closed: true }

/** Events and tags in which all words occur. */
export async function searchCatalogue(ctx: Context, _: Visitor, { query }: Asked<'searchCatalogue'>): Promise<CatalogueSearch> {
  const { q, limit_per_type: limit, page, events_status, events_tag, exclude_tag_id, sort, ascending, search_tags } = query
  const words = q.toLowerCase().split(/\s+/).filter(Boolean)
  const all = await eventsOf(ctx, { closed: events_status === undefined ? undefined : CLOSED[events_status], exclude_tag_id, ascending })
  const found = await inTurns(all, SEEN_AT_ONCE, (event) => {
    const { tags } = event.listed
    return mentions(event.listed, words) && (!events_tag || tags.some(({ slug }) => events_tag.includes(slug))) ? event : null
  })
  const from = (page - 1) * limit
  const { tags } = await ctx.catalogue.index()
  const named = search_tags ? tags.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word))).slice(0, limit) : []
  const counted = (slug: string) => all.filter(({ listed }) => listed.tags.some((tag) => tag.slug === slug)).length
  return {
    events: await eventViews(ctx, inOrder(found, { order: [sort], ascending }).slice(from, from + limit)),
    tags: await inTurns(named, TAGS_AT_ONCE, (tag) => ({ ...tagView(tag), event_count: counted(tag.slug) })),
    profiles: [],
    pagination: { hasMore: found.length > from + limit, totalResults: found.length },
  }
}
