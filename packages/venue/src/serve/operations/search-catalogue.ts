import { isFoundIn, matchedOutcome } from '@augury/search/match'
import { type Clause, readSearch } from '@augury/search/read-search'
import type { CatalogueEvent, CatalogueSearch, CatalogueSeries, CatalogueTag } from '@augury/wire/catalogue'
import type { Input } from '@augury/wire/operation'
import type { catalogueOperations } from '@augury/wire/operations/catalogue'
import { ServiceError } from '@augury/wire/service-error'
import { inTurns, sortedInTurns } from '../../base/in-turns.ts'
import type { Visitor } from '../access/identity.ts'
import { isOver, type SeenEvent, seriesView, tagView } from '../views/catalogue-view.ts'
import type { Context } from './context.ts'
import { eventsOf, eventViews, numbered } from './list-catalogue.ts'
import { type EventQuery, inOrder } from './select-catalogue.ts'

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

/** Tags whose events are counted in one turn of the event loop. */
const TAGS_AT_ONCE = 5
const CLOSED: Readonly<Record<string, boolean>> = { active: false, closed: true }

/** Events and tags that a search finds. Without an order of its own the best come first: matches of titles, then open and much traded ones. */
export async function searchCatalogue(ctx: Context, _: Visitor, { query }: Asked<'searchCatalogue'>): Promise<CatalogueSearch> {
  const { q, limit_per_type: limit, page, events_status, events_tag, exclude_tag_id, sort, ascending, search_tags } = query
  const clauses = readSearch(q)
  const asked = { closed: events_status === undefined ? undefined : CLOSED[events_status], exclude_tag_id, ascending }
  const ranks = new Map((await ctx.catalogue.find(clauses)).map(({ row, rank }) => [row, rank]))
  const seen = await eventsOf(ctx, asked, [...ranks.keys()])
  const found = seen.filter(({ listed }) => !events_tag || listed.tags.some(({ slug }) => events_tag.includes(slug)))
  const byRank = (a: SeenEvent, b: SeenEvent) =>
    ranks.get(a.listed)! - ranks.get(b.listed)! || Number(isOver(a)) - Number(isOver(b)) || b.totals.volume - a.totals.volume
  const from = (page - 1) * limit
  const shown =
    sort === undefined && !ascending
      ? await sortedInTurns(found, (a, b) => byRank(a, b) || a.listed.number - b.listed.number, { offset: from, limit })
      : inOrder(found, { order: [sort ?? 'volume'], ascending }).slice(from, from + limit)
  const views = await eventViews(ctx, shown)
  return {
    events: views.map((view) => ({ ...view, matchedOutcome: matchedOutcomeOf(clauses, view) })),
    tags: search_tags ? await tagsNamed(ctx, clauses, asked, limit) : [],
    profiles: [],
    pagination: { hasMore: found.length > from + limit, totalResults: found.length },
  }
}

/** Tags by their names, with their events. */
async function tagsNamed(ctx: Context, clauses: readonly Clause[], asked: EventQuery, limit: number): Promise<CatalogueSearch['tags']> {
  const { tags } = await ctx.catalogue.index()
  const named = clauses.length === 0 ? [] : tags.filter(({ name }) => isFoundIn(name, clauses)).slice(0, limit)
  if (named.length === 0) return []
  const all = await eventsOf(ctx, asked)
  const counted = (slug: string) => all.filter(({ listed }) => listed.tags.some((tag) => tag.slug === slug)).length
  return inTurns(named, TAGS_AT_ONCE, (tag) => ({ ...tagView(tag), event_count: counted(tag.slug) }))
}

/** The outcome by whose name an event was found. */
function matchedOutcomeOf(
  clauses: readonly Clause[],
  { title, markets }: CatalogueEvent,
): CatalogueSearch['events'][number]['matchedOutcome'] {
  const named = markets.flatMap(({ conditionId, groupItemTitle, question, outcomes, clobTokenIds }) => {
    const tokens: string[] = JSON.parse(clobTokenIds)
    const own = (JSON.parse(outcomes) as string[]).flatMap((name, outcomeIndex) =>
      name === 'Yes' || name === 'No' ? [] : [{ name, outcomeIndex, names: [name] }],
    )
    const whole = markets.length === 1 ? [] : [{ name: groupItemTitle || question, outcomeIndex: 0, names: [groupItemTitle, question] }]
    return [...own, ...whole].map(({ names, ...each }) => ({
      matched: { ...each, conditionId, clobTokenId: tokens[each.outcomeIndex]! },
      names,
    }))
  })
  const place = matchedOutcome(
    clauses,
    title,
    named.map(({ names }) => names),
  )
  return named[place]?.matched ?? null
}
