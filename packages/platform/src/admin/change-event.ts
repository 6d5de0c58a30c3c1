import { anyOf, tables } from '@augury/domain/platform/tables'
import { LOOKUP_BATCH } from '@augury/wire/limits'
import type { Input, Output } from '@augury/wire/operation'
import type { adminEventOperations } from '@augury/wire/platform/admin-events'
import { ServiceError } from '@augury/wire/service-error'
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { askExchange, askExchangeForEach } from '../authorization/ask-exchange.ts'
import { type AdminResult, difference, hasNew, runAsAdmin } from '../authorization/run-as-admin.ts'
import type { Admin } from '../authorization/viewer.ts'
import { metadataOf } from '../catalogue/register-markets.ts'
import { translateUnasked } from '../creation/translate-unasked.ts'
import { lockEvent } from '../events/lock-markets.ts'
import { plain } from '../outbound/plain-text.ts'
import type { Site } from '../site/site.ts'
import { adminEventRow } from './list-events.ts'

type Operations = typeof adminEventOperations
type Body = Input<Operations['adminUpdateEvent']>['body']
type Changes = Omit<Body, 'seen'>

type MarketTexts = NonNullable<Changes['markets']>[number]

interface Row {
  id: string
  creator: string
  title: string
  icon_url: string
  rules: string
  series_slug: string | null
  hidden: boolean
  tags: string[]
  traded: boolean
  /** In the order of their ids. */
  markets: MarketTexts[]
}

/**
 * Changes what is seen of an event. Texts are what people trade by: they change on the exchange too, for an event of this deployment alone,
 * and once there may be trades or open orders, what markets ask stays and rules are only added to. Throws `event_not_found`, `market_not_found`,
 * `rules_only_grow`, `condition_not_owned`, and `changed_meanwhile` where the texts are not those that the caller has seen.
 */
export async function updateEvent(
  site: Site,
  admin: Admin,
  { params: { id }, body }: Pick<Input<Operations['adminUpdateEvent']>, 'params' | 'body'>,
): Promise<Output<Operations['adminUpdateEvent']>> {
  const { answer, renamed } = await runAsAdmin(site, admin, async (em, now) => {
    const record = await change(site, em, id, body, now)
    const answer = { success: true as const, data: await adminEventRow(site, em, id) }
    return { answer: { answer, renamed: hasNew(record, 'title') }, record }
  })
  if (renamed) translateUnasked(site, admin, { kind: 'event', id }, { renamed })
  return answer
}

/** Takes back a change of an event that the rules of changing allow to go back. Throws `changed_meanwhile`. */
export async function undoEvent(
  site: Site,
  em: EntityManager,
  { target, before, after }: { target: string; before: Changes; after: Changes },
  now: Date,
): Promise<AdminResult<unknown>> {
  if (difference<Changes>(fields(await lock(em, target), after.markets), after)) throw new ServiceError('changed_meanwhile')
  return { answer: null, record: await change(site, em, target, before, now) }
}

/** What can be changed; of the markets only those that a change is about. */
const fields = ({ title, icon_url, rules, series_slug, hidden, tags, markets }: Row, about: readonly MarketTexts[] = []): Changes => ({
  title,
  icon_url,
  rules,
  series_slug,
  hidden,
  tags,
  markets: markets.filter(({ condition_id }) => about.some((each) => each.condition_id === condition_id)),
})

/** A change with its markets as they are compared. */
const sorted = ({ markets, ...change }: Partial<Changes>): Partial<Changes> => ({
  ...change,
  ...(markets && {
    markets: markets
      .map((market) => ({ ...market, condition_id: market.condition_id.toLowerCase() }))
      .sort((a, b) => (a.condition_id < b.condition_id ? -1 : 1)),
  }),
})

async function lock(em: EntityManager, id: string): Promise<Row> {
  await lockEvent(em, id)
  const [row]: Row[] = await em.execute(
    `select id, creator, title, icon_url, rules, series_slug, hidden_at is not null as hidden,
       exists (select from market where event_id = event.id and (volume > 0 or open_interest > 0)) as traded,
       (select coalesce(jsonb_agg(slug order by position), '[]') from event_tag join tag on tag.id = tag_id where event_id = event.id) as tags,
       (select coalesce(jsonb_agg(jsonb_build_object('condition_id', condition_id, 'question', question, 'short_title', short_title)
          order by condition_id collate "C"), '[]') from market where event_id = event.id) as markets
     from event where id = ?`,
    [id],
  )
  if (!row) throw new ServiceError('event_not_found')
  return row
}

async function change(
  site: Site,
  em: EntityManager,
  id: string,
  { seen, ...body }: Body,
  now: Date,
): Promise<AdminResult<unknown>['record']> {
  const current = await lock(em, id)
  const wanted = sorted(body)
  const standing = fields(current, wanted.markets)
  if (wanted.markets && standing.markets!.length < wanted.markets.length) throw new ServiceError('market_not_found')
  const changed = difference<Changes>(standing, wanted)
  if (!changed) return null
  const known = seen && sorted(seen)
  if (known && difference<Changes>(fields(current, known.markets), known)) throw new ServiceError('changed_meanwhile')
  const { after } = changed
  const { hidden, ...texts } = after
  const written = Object.keys(texts).length > 0
  const own = current.creator === site.exchange.operatorAddress.toLowerCase()
  if (written && !own) throw new ServiceError('condition_not_owned')
  const asksAnew = after.markets !== undefined || (after.rules !== undefined && !after.rules.startsWith(plain(current.rules, 20_000)))
  if (asksAnew && (await hasTradesOrOrders(site, em, current))) throw new ServiceError('rules_only_grow')
  const set = {
    title: after.title ?? current.title,
    icon_url: after.icon_url ?? current.icon_url,
    rules: after.rules ?? current.rules,
    series_slug: after.series_slug === undefined ? current.series_slug : after.series_slug,
    updated_at: now,
  }
  await tables(em)
    .updateTable('event')
    .set((eb) => ({ ...set, hidden_at: (hidden ?? current.hidden) ? eb.fn.coalesce('hidden_at', eb.val(now)) : null }))
    .where('id', '=', id)
    .execute()
  // Markets that were decided by the rules of their event go on to be.
  if (after.rules !== undefined)
    await tables(em)
      .updateTable('market')
      .set({ rules: after.rules, updated_at: sql`now()` })
      .where('event_id', '=', id)
      .where('rules', '=', current.rules)
      .execute()
  for (const { condition_id, question, short_title } of after.markets ?? [])
    await tables(em)
      .updateTable('market')
      .set({ title: question, question, short_title, updated_at: sql`now()` })
      .where('condition_id', '=', condition_id)
      .where('event_id', '=', id)
      .execute()
  if (after.tags !== undefined) await setTags(em, id, after.tags)
  if (own) await tellExchange(site, em, id)
  return { action: 'event_changed', target: id, ...changed }
}

/** Returns whether an event may have trades or open orders. The exchange is asked too, as what is known here is minutes old. */
async function hasTradesOrOrders({ exchange }: Site, em: EntityManager, { id, traded, markets }: Row): Promise<boolean> {
  if (traded) return true
  for (let first = 0; first < markets.length; first += LOOKUP_BATCH) {
    const asked = markets.slice(first, first + LOOKUP_BATCH).map(({ condition_id }) => ({ condition_id }))
    const volumes = await askExchange(exchange.anybody.getVolumes({ body: { conditions: asked } }))
    if (volumes.some(({ volume, open_interest }) => Number(volume) > 0 || Number(open_interest) > 0)) return true
  }
  // Signed, because other programs at our address may have used up the budget for unsigned requests. Both books of a market show the same orders.
  const { getBooks } = await askExchange(exchange.reader())
  const tokens = await tables(em)
    .selectFrom('outcome')
    .innerJoin('market', 'condition_id', 'market_condition_id')
    .select('token_id')
    .where('event_id', '=', id)
    .where('index', '=', 0)
    .execute()
  for (let first = 0; first < tokens.length; first += LOOKUP_BATCH) {
    const books = await askExchange(getBooks({ body: tokens.slice(first, first + LOOKUP_BATCH) }))
    if (books.some(({ bids, asks }) => bids.length + asks.length > 0)) return true
  }
  return false
}

async function setTags(em: EntityManager, id: string, slugs: readonly string[]): Promise<void> {
  const unique = [...new Set(slugs)]
  const rows = await tables(em).selectFrom('tag').select(['id', 'slug']).where('slug', '=', anyOf(unique)).execute()
  if (rows.length !== unique.length) throw new ServiceError('category_not_found')
  await tables(em).deleteFrom('event_tag').where('event_id', '=', id).execute()
  for (const [position, slug] of unique.entries()) {
    const tag = rows.find((row) => row.slug === slug)!.id
    await tables(em).insertInto('event_tag').values({ event_id: id, tag_id: tag, position }).execute()
    if (position === 0) await tables(em).updateTable('event').set({ main_tag_id: tag }).where('id', '=', id).execute()
  }
}

/** The texts of the markets as they are now, and whether the catalogue has them. The same again changes nothing: what fails in the middle is simply done again. */
async function tellExchange(site: Site, em: EntityManager, id: string): Promise<void> {
  const texts = await metadataOf(em, id)
  if (texts.length === 0) return
  const { exchange } = await askExchange(site.exchange.operator())
  const tell = ({ id: condition, metadata }: (typeof texts)[number]) =>
    exchange.patchCondition({ params: { id: condition }, body: { metadata } })
  await askExchangeForEach(texts, tell, () => stillHere(em))
}

/** The database ends a transaction that says nothing for as long as a slow exchange takes for two hundred markets. */
export const stillHere = (em: EntityManager) => tables(em).selectNoFrom(sql.lit(1).as('here')).execute()
