import { anyOf, tables } from '@augury/domain/platform/tables'
import { formatLots, formatPrice } from '@augury/units/decimal'
import type { ConditionRequest } from '@augury/wire/condition-request'
import { tickSize } from '@augury/wire/scalars'
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import type { Hex } from 'viem'
import { refreshEventTotals } from '../events/event-totals.ts'
import { lockEvent } from '../events/lock-markets.ts'
import type { Platform } from '../site/platform.ts'
import type { RegisterCondition } from './register-condition.ts'

/** How many requests are under way at once. */
const PARALLEL = 8

interface Unregistered {
  event_id: string
  condition_id: string
  slug: string
  outcomes: [string, string]
  grid: number
  min_lots: number
  fee_bps: number
  affiliate_bps: number
  end_time: string
  question: string
  short_title: string
  rules: string
  resolution_source: string
  resolution_source_url: string
  icon_url: string
  neg_risk: boolean
  total_markets_count: number
  is_paused: boolean
  is_hidden: boolean
  event: ConditionRequest['metadata']['event']
}

/** Called with the progress of a registration, in markets. */
export type Progress = (done: number, total: number) => void

/**
 * Registers every stored market of a creator that the exchange does not have yet, event by event, and opens them unless their event is paused;
 * only those of one event when its slug is given. Can be interrupted and run again. Returns the number of markets. Throws what `register` throws.
 */
export async function registerMarkets(
  platform: Platform,
  creator: Hex,
  register: RegisterCondition,
  progress: Progress = () => {},
  onlyEvent: string | null = null,
): Promise<number> {
  const rows: Unregistered[] = await platform.em().execute(UNREGISTERED, [creator.toLowerCase(), onlyEvent, onlyEvent])
  let done = 0
  for (const [eventId, markets] of Map.groupBy(rows, ({ event_id }) => event_id)) {
    const waiting = markets.values()
    const lane = async () => {
      for (const market of waiting) {
        const { condition_id } = await register(toRequest(market), market.condition_id, market.is_paused)
        if (condition_id !== market.condition_id)
          throw new Error(`the exchange derives ${condition_id} for ${market.slug}, not ${market.condition_id}`)
        progress(++done, rows.length)
      }
    }
    // All of them end first: nothing is registered any more once a failure was told.
    const lanes = await Promise.allSettled(Array.from({ length: Math.min(PARALLEL, markets.length) }, lane))
    const failed = lanes.find(({ status }) => status === 'rejected') as PromiseRejectedResult | undefined
    if (failed) throw failed.reason
    await platform.em().transactional((em) => open(em, eventId, markets, register))
  }
  return rows.length
}

/** Opens registered markets. If their event was paused meanwhile, pauses them on the exchange, too. */
async function open(em: EntityManager, eventId: string, markets: readonly Unregistered[], register: RegisterCondition): Promise<void> {
  await lockEvent(em, eventId)
  const event = await tables(em).selectFrom('event').select('paused_at').where('id', '=', eventId).executeTakeFirstOrThrow()
  const isPaused = event.paused_at !== null
  for (const market of isPaused ? markets : []) if (!market.is_paused) await register(toRequest(market), market.condition_id, true)
  await tables(em)
    .updateTable('market')
    .set({ registered_at: sql`now()`, is_active: !isPaused, updated_at: sql`now()` })
    .where('registered_at', 'is', null)
    .where('condition_id', '=', anyOf(markets.map(({ condition_id }) => condition_id)))
    .execute()
  await refreshEventTotals(em, [eventId])
}

/** The metadata that the exchange should have for each registered market of an event, as the event is stored now. */
export async function metadataOf(em: EntityManager, eventId: string): Promise<{ id: string; metadata: ConditionRequest['metadata'] }[]> {
  const rows: Unregistered[] = await em.execute(`${ROWS} where event_id = ? and registered_at is not null order by position`, [eventId])
  return rows.map((row) => ({ id: row.condition_id, metadata: toRequest(row).metadata }))
}

function toRequest(market: Unregistered): ConditionRequest {
  return {
    question_slug: market.slug,
    outcomes: market.outcomes,
    tick_size: tickSize.parse(formatPrice(market.grid)),
    min_size: formatLots(market.min_lots),
    fee_rate_bps: market.fee_bps,
    affiliate_share_bps: market.affiliate_bps,
    end_time: iso(market.end_time)!,
    ...(market.neg_risk ? { neg_risk_event: { slug: market.event.slug, size: market.total_markets_count } } : {}),
    metadata: {
      question: market.question,
      short_title: market.short_title,
      description: market.question,
      rules: market.rules,
      resolution_source: market.resolution_source,
      resolution_source_url: market.resolution_source_url,
      icon: market.icon_url,
      event: {
        ...market.event,
        ...(market.is_hidden && { hidden: true }),
        start_date: iso(market.event.start_date),
        end_date: iso(market.event.end_date),
      },
    },
  }
}

const iso = (time: string | null) => (time === null ? null : new Date(time).toISOString())

const ROWS = `
  select event_id, condition_id, market.slug, grid, min_lots, fee_bps, affiliate_bps, end_time, question, short_title, market.rules, resolution_source,
    resolution_source_url, market.icon_url, neg_risk, total_markets_count, paused_at is not null as is_paused, hidden_at is not null as is_hidden,
    (select jsonb_agg(text order by index) from outcome where market_condition_id = condition_id) as outcomes,
    jsonb_build_object(
      'slug', event.slug, 'title', event.title, 'icon', event.icon_url, 'rules', event.rules,
      'start_date', event.start_date, 'end_date', event.end_date, 'series_slug', event.series_slug,
      'tags', coalesce((
        select jsonb_agg(jsonb_build_object('slug', tag.slug, 'name', tag.name) order by event_tag.position)
        from event_tag join tag on tag.id = tag_id where event_tag.event_id = event.id
      ), '[]')
    ) as event
  from market join event on event.id = event_id`

const UNREGISTERED = `${ROWS}
  where registered_at is null and event.creator = ? and (?::text is null or event.slug = ?)
  order by event.ranking_seed desc, event.id, position`
