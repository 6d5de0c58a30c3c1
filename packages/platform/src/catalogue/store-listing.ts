import { Event } from '@augury/domain/platform/event.entity'
import { EventTag } from '@augury/domain/platform/event-tag.entity'
import { Market } from '@augury/domain/platform/market.entity'
import { Outcome } from '@augury/domain/platform/outcome.entity'
import { FormerTag, Tag } from '@augury/domain/platform/tag.entity'
import { conditionId, negRiskMarketId, questionId, tokenId } from '@augury/signing/ids'
import { LockMode } from '@mikro-orm/core'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Hex } from 'viem'
import { refreshEventTotals } from '../events/event-totals.ts'
import { type EarlierHistory, storeEarlierPrices } from '../prices/earlier-prices.ts'
import { readSettings } from '../settings/site-settings.ts'
import type { Platform } from '../site/platform.ts'
import type { TagRow } from './discovery.ts'
import type { Finding } from './finding.ts'
import type { ListedMarket, Listing } from './listing.ts'
import { shownListing } from './shown-listing.ts'
import { translateTag } from './usual-categories.ts'

/** The result of storing a listing. */
interface Stored {
  /** Markets that were new. */
  stored: number
  findings: Finding[]
}

/**
 * Writes an event with its markets, outcomes and tags in one transaction. Events and markets whose slug is already stored stay as they are.
 * An event of which exactly one market wins is stored whole or not at all, and takes no further markets, because its membership is fixed.
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
  const refusal = fresh.length === 0 ? null : refusalOf(listing, known, fresh.length, findings.length, { creator, fixed })
  if (refusal) findings.push({ place: listing.place, ...refusal })
  if (fresh.length === 0 || refusal) return { stored: 0, findings }
  const event = known ?? (await storeEvent(em, creator, listing))
  const position = known ? await em.count(Market, { event }) : 0
  // An event ends with the last of its markets.
  if (known?.endDate && fixed && known.endDate < listing.endDate) known.endDate = listing.endDate
  const { affiliateShareBps } = (await readSettings(em, ['affiliate'])).affiliate.values
  const histories = fresh.map((market, index) => storeMarket(em, creator, event, market, position + index, affiliateShareBps))
  await em.flush()
  await storeEarlierPrices(em, histories)
  await refreshEventTotals(em, [event.id])
  return { stored: fresh.length, findings }
}

/** Why an event takes none of the markets that are new in a listing, of which `elsewhere` belong to other events; null where it takes them. */
function refusalOf(
  listing: Listing,
  known: Event | null,
  fresh: number,
  elsewhere: number,
  { creator, fixed }: { creator: Hex; fixed: boolean },
): Omit<Finding, 'place'> | null {
  if (known?.negRisk && fixed)
    return { kind: 'membership_fixed', text: `${fresh} markets are new, but the event of which exactly one market wins is complete` }
  if (known && fixed && known.negRisk !== listing.negRisk)
    return {
      kind: 'event_skipped',
      text: `${listing.slug} is stored as an event of which ${known.negRisk ? 'exactly one market' : 'any market'} wins`,
    }
  if (listing.negRisk && fixed && elsewhere > 0)
    return { kind: 'event_skipped', text: 'exactly one of its markets wins, and some belong to another event: none is taken' }
  if (known && listing.isMoved && known.endDate?.getTime() !== listing.endDate.getTime())
    return { kind: 'over', text: `${listing.slug} is stored with its own dates, and takes no markets of later ones` }
  if (known && known.creator !== creator.toLowerCase())
    return { kind: 'duplicate', text: `the event ${listing.slug} belongs to ${known.creator}` }
  return null
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
    hiddenAt: listing.isHidden ? new Date() : null,
  })
  for (const [position, tag] of tags.entries()) em.create(EventTag, { event, tag, position })
  await em.flush()
  return event
}

/**
 * Tags by slug, also by the slug of a merged one, created where missing, with usual translations. Main categories come first. A new tag is
 * none, and in no navigation: files and other creators may name what they like, and admins arrange the site.
 */
async function storeTags(em: EntityManager, rows: readonly TagRow[]): Promise<Tag[]> {
  const tags = new Set<Tag>()
  const fresh: Tag[] = []
  for (const { slug, label } of rows) {
    const known = await knownTag(em, slug)
    const tag = known ?? em.create(Tag, { slug, name: label })
    if (!known) fresh.push(tag)
    tags.add(tag)
  }
  await em.flush()
  for (const tag of fresh) await translateTag(em, tag)
  const isMain = (tag: Tag) => tag.isMainCategory && !tag.isHidden && !tag.hideEvents
  return [...tags].sort((a, b) => Number(isMain(b)) - Number(isMain(a)))
}

const knownTag = async (em: EntityManager, slug: string): Promise<Tag | null> =>
  (await em.findOne(Tag, { slug })) ?? (await em.findOne(FormerTag, { slug }, { populate: ['tag'] }))?.tag ?? null

/** Adds a market and its outcomes; returns the prices that its file has. */
function storeMarket(
  em: EntityManager,
  creator: Hex,
  event: Event,
  listed: ListedMarket,
  position: number,
  affiliateBps: number,
): EarlierHistory {
  const { history = [], outcomes, question: title, ...columns } = listed
  const question = questionId(creator, listed.slug)
  const condition = conditionId(creator, question)
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
  return { condition, source: 'imported', prices: history }
}
