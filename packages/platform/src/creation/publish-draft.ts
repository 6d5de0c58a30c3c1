import { lockName, tables } from '@augury/domain/platform/tables'
import type { Output } from '@augury/wire/operation'
import type { adminCreationOperations } from '@augury/wire/platform/admin-creation'
import type { DraftContent } from '@augury/wire/platform/draft'
import { firstOf } from '@augury/wire/platform/occurrence'
import { ServiceError } from '@augury/wire/service-error'
import type { EntityManager } from '@mikro-orm/postgresql'
import { type SqlBool, sql } from 'kysely'
import type { Hex } from 'viem'
import { askExchange } from '../authorization/ask-exchange.ts'
import { recordAction } from '../authorization/run-as-admin.ts'
import type { Admin } from '../authorization/viewer.ts'
import { invalidate } from '../cache/generations.ts'
import { type RegisterCondition, registering } from '../catalogue/register-condition.ts'
import { registerMarkets } from '../catalogue/register-markets.ts'
import { addListing } from '../catalogue/store-listing.ts'
import type { Platform } from '../site/platform.ts'
import type { Site } from '../site/site.ts'
import { assertReady, checkDraft } from './check-draft.ts'
import { listingOf } from './draft-listing.ts'
import { insertDraft, readDraft } from './drafts.ts'
import { seriesSlugOf, startSeries } from './event-series.ts'
import { translateUnasked } from './translate-unasked.ts'

type Publication = Output<typeof adminCreationOperations.adminPublishDraft>

/**
 * Publishes a draft in two steps, either of which may be interrupted by a crash: the event and its markets are stored, in one transaction
 * with the draft; then every market that the exchange lacks is registered there. Called again, it continues where it stopped; for a
 * published draft it returns the event. Throws `draft_unready` with every fault, `slug_taken` and `service_unavailable`.
 */
export async function publishDraft(site: Site, admin: Admin, { params: { id } }: { params: { id: string } }): Promise<Publication> {
  const creator = site.exchange.operatorAddress.toLowerCase() as Hex
  await site.em().transactional((em) => makeEvent(em, admin, creator, id, site.now()))
  const operator = await askExchange(site.exchange.operator())
  try {
    await finishDraft(
      site,
      creator,
      id,
      registering(async () => operator),
    )
  } catch (error) {
    const refusal = await askExchange(Promise.reject<never>(error)).catch((translated: unknown) => translated)
    if (refusal instanceof ServiceError)
      await tables(site.em())
        .updateTable('event_draft')
        .set({ problem: refusal.message.slice(0, 500) })
        .where('id', '=', id)
        .execute()
    throw refusal
  }
  const data = await publication(site.em(), id)
  translateUnasked(site, admin, { kind: 'event', id: data.event_id })
  return { success: true, data }
}

/** Creates an event from a draft in one call; the draft is stored as its source. Called again with the same one, it continues as above. */
export async function createEvent(site: Site, admin: Admin, { body }: { body: DraftContent }): Promise<Publication> {
  const creator = site.exchange.operatorAddress.toLowerCase() as Hex
  const id = await site.em().transactional(async (em) => {
    await lockPublishing(em)
    const made = await tables(em)
      .selectFrom('event_draft')
      .select('id')
      .where(sql<SqlBool>`content = ${JSON.stringify(body)}::jsonb`)
      .where('event_id', 'is not', null)
      .executeTakeFirst()
    if (made) return made.id
    const draft = await insertDraft(em, admin, body, site.now())
    await makeEvent(em, admin, creator, draft, site.now())
    return draft
  })
  return publishDraft(site, admin, { params: { id } })
}

/** Serialised, so that two drafts with the same slug see each other. */
const lockPublishing = (em: EntityManager) => lockName(em, 'augury publishing')

/** The first step: stores the event, after which the draft cannot be edited. Does nothing when that is done. */
async function makeEvent(em: EntityManager, admin: Admin, creator: Hex, id: string, now: Date): Promise<void> {
  await lockPublishing(em)
  // The event has what was saved last, and none is made of a draft that is being deleted.
  await tables(em).selectFrom('event_draft').select('id').where('id', '=', id).forUpdate().execute()
  const { state, content } = await readDraft(em, id)
  if (state !== 'draft') return
  const series = content.recurrence === null ? null : seriesSlugOf(content)
  const eventId = await storeDraft(em, creator, content, series, now)
  if (series !== null) await startSeries(em, admin, content, now)
  await tables(em)
    .updateTable('event_draft')
    .set({ state: 'publishing', event_id: eventId, problem: '', updated_at: now })
    .where('id', '=', id)
    .execute()
  await recordAction(
    em,
    admin,
    { action: 'event_published', target: eventId, after: { slug: firstOf(content).slug, mode: content.mode } },
    now,
  )
}

/** Stores the event of a draft and returns its id. Throws `draft_unready` and `slug_taken`. */
export async function storeDraft(
  em: EntityManager,
  creator: Hex,
  content: DraftContent,
  series: string | null,
  now: Date,
): Promise<string> {
  const checks = await checkDraft(em, content, now)
  const first = firstOf(content)
  const slugFree = checks.find(({ code }) => code === 'slug_free')
  if (slugFree?.state === 'error') throw new ServiceError('slug_taken', { details: { checks } })
  assertReady(checks)
  await addListing(em, creator, await listingOf(em, first, series), true)
  const event = await tables(em).selectFrom('event').select('id').where('slug', '=', first.slug).executeTakeFirstOrThrow()
  return event.id
}

/** The second step: registers every market of the event that the exchange lacks; then the event is published. */
export async function finishDraft(platform: Platform, creator: Hex, id: string, register: RegisterCondition): Promise<void> {
  const { state, event_slug } = await readDraft(platform.em(), id)
  if (state !== 'publishing' || event_slug === null) return
  await registerMarkets(platform, creator, register, () => {}, event_slug)
  await platform.em().transactional(async (em) => {
    await tables(em)
      .updateTable('event_draft')
      .set({ state: 'published', problem: '', updated_at: platform.now() })
      .where('id', '=', id)
      .where('state', '=', 'publishing')
      .execute()
    await invalidate(em, ['lists'])
  })
}

async function publication(em: EntityManager, id: string): Promise<Publication['data']> {
  return tables(em)
    .selectFrom('event_draft as draft')
    .innerJoin('event', 'event.id', 'draft.event_id')
    .innerJoin('market', 'market.event_id', 'event.id')
    .select(['draft.state', 'draft.id as draft_id', 'event.id as event_id', 'event.slug'])
    .select([sql<number>`count(registered_at)::int`.as('registered'), sql<number>`count(*)::int`.as('total')])
    .where('draft.id', '=', id)
    .groupBy(['draft.id', 'event.id'])
    .$narrowType<{ state: Publication['data']['state'] }>()
    .executeTakeFirstOrThrow()
}
