import { Event } from '@augury/domain/platform/event.entity'
import { EventTag } from '@augury/domain/platform/event-tag.entity'
import { Market } from '@augury/domain/platform/market.entity'
import { Outcome } from '@augury/domain/platform/outcome.entity'
import { FormerTag, Tag, TagParent } from '@augury/domain/platform/tag.entity'
import { conditionId, negRiskMarketId, questionId, tokenId } from '@augury/signing/ids'
import { LockMode } from '@mikro-orm/core'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Hex } from 'viem'
import { refreshEventTotals } from '../events/event-totals.ts'
import type { Platform } from '../platform.ts'
import { readSettings } from '../settings/site-settings.ts'
import { keepTranslation } from '../translations/translations.ts'
import { otherNames } from './category-names.ts'
import type { TagRow } from './discovery.ts'
import type { Finding } from './finding.ts'
import type { ListedMarket, Listing } from './listing.ts'
import { shownListing } from './shown-listing.ts'

/** The result of storing a listing. */
interface Stored {
  /** Markets that were new. */
  stored: number
  findings: Finding[]
}

/**
 * Writes an event with its markets, outcomes and tags in one transaction. Events and markets whose slug is already stored stay as they are.
 * A stored neg-risk event takes no further markets, because its membership is fixed.
 */
export function storeListing(platform: Platform, creator: Hex, listing: Listing): Promise<Stored> {
  return platform.em().transactional((em) => addListing(em, creator, listing, true))
}

/**
 * The same in the caller's transaction. Without `fixed`, a stored neg-risk event takes further markets, which the exchange has accepted.
 */
export async function addListing(em: EntityManager, creator: Hex, written: Listing, fixed: boolean): Promise<Stored> {
  const listing = shownListing(written)
  const known = await em.findOne(Event, { slug: listing.slug }, { lockMode: LockMode.PESSIMISTIC_WRITE })
  const stored = await em.find(Market, { slug: { $in: listing.markets.map(({ slug }) => slug) } }, { fields: ['slug', 'event'] })
  const taken = new Set(stored.map(({ slug }) => slug))
  const findings: Finding[] = stored
    .filter(({ event }) => event.id !== known?.id)
    .map(({ slug }) => ({ kind: 'duplicate', place: listing.place, text: `the market ${slug} belongs to another event` }))
  const fresh = listing.markets.filter(({ slug }) => !taken.has(slug))
  if (fresh.length === 0) return { stored: 0, findings }
  if (known?.negRisk && fixed) {
    const text = `${fresh.length} markets are new, but the event of which exactly one market wins is complete`
    return { stored: 0, findings: [...findings, { kind: 'membership_fixed', place: listing.place, text }] }
  }
  if (known && known.creator !== creator.toLowerCase()) {
    const text = `the event ${listing.slug} belongs to ${known.creator}`
    return { stored: 0, findings: [...findings, { kind: 'duplicate', place: listing.place, text }] }
  }
  const event = known ?? (await storeEvent(em, creator, listing))
  const position = known ? await em.count(Market, { event }) : 0
  const { affiliateShareBps } = (await readSettings(em, ['affiliate'])).affiliate.values
  for (const [index, market] of fresh.entries()) storeMarket(em, creator, event, market, position + index, affiliateShareBps)
  await em.flush()
  await refreshEventTotals(em, [event.id])
  return { stored: fresh.length, findings }
}

async function storeEvent(em: EntityManager, creator: Hex, listing: Listing): Promise<Event> {
  const tags = await storeTags(em, listing.tags)
  const event = em.create(Event, {
    slug: listing.slug,
    title: listing.title,
    creator: creator.toLowerCase(),
    iconUrl: listing.iconUrl,
    rules: listing.rules,
    negRisk: listing.negRisk,
    negRiskMarketId: listing.negRisk ? (listing.negRiskMarketId ?? negRiskMarketId(creator, listing.slug)) : null,
    mainTag: tags[0] ?? null,
    seriesSlug: listing.seriesSlug ?? null,
    rankingSeed: listing.rankingSeed,
    startDate: listing.startDate,
    endDate: listing.endDate,
  })
  for (const [position, tag] of tags.entries()) em.create(EventTag, { event, tag, position })
  await em.flush()
  return event
}

/**
 * Tags by slug, also by the slug of a merged one, created where missing, with usual translations. The first becomes a main category and a
 * parent of the others, except where an admin has arranged them.
 */
async function storeTags(em: EntityManager, rows: readonly TagRow[]): Promise<Tag[]> {
  const tags: Tag[] = []
  const fresh: Tag[] = []
  for (const [index, { slug, label }] of rows.entries()) {
    const known = await knownTag(em, slug)
    const tag = known ?? em.create(Tag, { slug, name: label })
    if (!known) fresh.push(tag)
    if (index === 0 && !tag.arrangedAt) tag.isMainCategory = true
    if (!tags.includes(tag)) tags.push(tag)
  }
  await em.flush()
  for (const { id, name, createdAt } of fresh)
    for (const other of otherNames(name)) await keepTranslation(em, { kind: 'tag', id }, { ...other, byPerson: true }, createdAt)
  const [parent, ...children] = tags
  for (const child of children) {
    if (child.isMainCategory || child.arrangedAt) continue
    if (parent && !(await em.findOne(TagParent, { child, parent }))) em.create(TagParent, { child, parent })
  }
  return tags
}

const knownTag = async (em: EntityManager, slug: string): Promise<Tag | null> =>
  (await em.findOne(Tag, { slug })) ?? (await em.findOne(FormerTag, { slug }, { populate: ['tag'] }))?.tag ?? null

function storeMarket(em: EntityManager, creator: Hex, event: Event, listed: ListedMarket, position: number, affiliateBps: number): void {
  const question = questionId(creator, listed.slug)
  const condition = conditionId(creator, question)
  const { outcomes, question: title, ...columns } = listed
  const market = em.create(Market, {
    ...columns,
    event,
    position,
    affiliateBps,
    conditionId: condition,
    questionId: question,
    title,
    question: title,
    resolver: creator.toLowerCase(),
  })
  for (const index of [0, 1] as const) em.create(Outcome, { tokenId: tokenId(condition, index), market, index, text: outcomes[index] })
}
