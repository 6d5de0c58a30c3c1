import { RefusedError } from '@augury/client/answer'
import { tables } from '@augury/domain/platform/tables'
import type { Input } from '@augury/wire/operation'
import type { adminEventOperations } from '@augury/wire/platform/admin-events'
import { ServiceError } from '@augury/wire/service-error'
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { askExchange, askExchangeForEach } from '../authorization/ask-exchange.ts'
import { runAsAdmin } from '../authorization/run-as-admin.ts'
import type { Admin } from '../authorization/viewer.ts'
import { metadataOf } from '../catalogue/register-markets.ts'
import { dayAndTime } from '../catalogue/rules-text.ts'
import { refreshEventTotals } from '../events/event-totals.ts'
import { lockEvent } from '../events/lock-markets.ts'
import { type Resolver, recordStep } from '../resolution/history.ts'
import { isWindowOfSeries } from '../series/window-listing.ts'
import type { Site } from '../site/site.ts'
import { stillHere } from './change-event.ts'

type Body = Input<(typeof adminEventOperations)['adminRescheduleEvent']>['body']

/** Rules are as long as this at most. */
const MOST_RULES = 20_000

interface Moved {
  end: Date
  reason: string
  /** The sentence that is added to rules. */
  change(before: Date): string
}

/**
 * Moves the end of markets of an event; the event ends with the last of its markets. The exchange has the new end before this returns, and
 * the worker notifies members. The same again changes nothing. Throws `event_not_found`, `market_not_found`, `condition_not_owned`,
 * `invalid_payload` for an end that has passed or rules that get too long, `market_closed` where trading is over, `resolution_conflict`
 * where a result is proposed, and `window_fixed` for a window of a price series.
 */
export function rescheduleEvent(
  site: Site,
  admin: Admin,
  { params: { id }, body }: { params: { id: string }; body: Body },
): Promise<{ success: true }> {
  return runAsAdmin(site, admin, async (em, now) => {
    const end = new Date(body.end_time)
    if (end <= now) throw invalid('end_time', 'lies in the past')
    await lockEvent(em, id)
    const event = await ownEvent(site, em, id)
    const markets = await marketsToMove(em, id, body.condition_ids, now)
    const late = markets.filter(({ end_time }) => end_time.getTime() !== end.getTime())
    if (late.length === 0) return { answer: { success: true }, record: null }
    const moved = {
      end,
      reason: body.reason,
      change: (before: Date) =>
        `Changed on ${dayAndTime(now)} UTC: trading ends on ${dayAndTime(end)} UTC instead of ${dayAndTime(before)} UTC. ${body.reason}`,
    }
    const by: Resolver = { kind: 'operator', userId: admin.id, address: admin.address, named: site.settings.adminWallets }
    for (const market of late) await moveMarket(em, by, event, market, moved, now)
    await moveEvent(em, event, moved)
    await tellExchange(site, em, id, new Map(late.map(({ condition_id, is_active }) => [condition_id, is_active])), end)
    await refreshEventTotals(em, [id])
    const record = {
      action: 'event_rescheduled' as const,
      target: id,
      note: body.reason,
      before: { end_date: event.ends },
      after: { end_date: end, markets: late.length },
    }
    return { answer: { success: true }, record }
  })
}

const invalid = (path: string, problem: string) => new ServiceError('invalid_payload', { details: [{ path, problem }] })

interface EventRow {
  id: string
  rules: string
  ends: Date
}

async function ownEvent(site: Site, em: EntityManager, id: string): Promise<EventRow> {
  const event = await tables(em)
    .selectFrom('event')
    .select(['id', 'creator', 'rules'])
    .select((eb) =>
      eb.fn
        .coalesce(
          'end_date',
          eb
            .selectFrom('market')
            .select((market) => market.fn.max('end_time').as('last'))
            .where('event_id', '=', id),
        )
        .as('ends'),
    )
    .select((eb) =>
      eb
        .exists(
          eb
            .selectFrom('price_series')
            .select('slug')
            .whereRef('slug', '=', 'series_slug')
            .where(sql<boolean>`${sql.raw(isWindowOfSeries('end_date'))}`),
        )
        .as('is_window'),
    )
    .where('id', '=', id)
    .executeTakeFirst()
  if (!event) throw new ServiceError('event_not_found')
  if (event.creator !== site.exchange.operatorAddress.toLowerCase()) throw new ServiceError('condition_not_owned')
  if (event.is_window) throw new ServiceError('window_fixed')
  return { id, rules: event.rules, ends: event.ends! }
}

type MarketRow = Awaited<ReturnType<typeof readMarkets>>[number]

const readMarkets = (em: EntityManager, id: string) =>
  tables(em)
    .selectFrom('market')
    .leftJoin('settlement', 'market_condition_id', 'condition_id')
    .select(['condition_id', 'rules', 'end_time', 'is_active', 'is_resolved', 'resolution_status', 'closed_at', 'registered_at'])
    .where('event_id', '=', id)
    .orderBy('position')
    .execute()

/** The markets that are named, or all whose trading is not over. */
async function marketsToMove(em: EntityManager, id: string, named: readonly string[] | undefined, now: Date): Promise<MarketRow[]> {
  const all = await readMarkets(em, id)
  const isOver = ({ closed_at, is_resolved, end_time }: MarketRow) => closed_at !== null || is_resolved || end_time <= now
  const wanted = named?.map((condition) => condition.toLowerCase())
  if (wanted?.some((condition) => !all.some(({ condition_id }) => condition_id === condition))) throw new ServiceError('market_not_found')
  const markets = wanted ? all.filter(({ condition_id }) => wanted.includes(condition_id)) : all.filter((market) => !isOver(market))
  if (markets.length === 0 || markets.some(isOver)) throw over()
  const proposed = markets.find(({ resolution_status }) => resolution_status !== 'pending')
  if (proposed) throw new ServiceError('resolution_conflict', { values: { status: proposed.resolution_status } })
  return markets
}

const over = (cause?: unknown) =>
  new ServiceError('market_closed', { text: 'Trading in this market is over: it does not open again.', ...(cause ? { cause } : {}) })

const grown = (rules: string, change: string): string => {
  const all = [rules, change].filter(Boolean).join('\n\n')
  if (all.length > MOST_RULES) throw invalid('reason', `makes the rules longer than ${MOST_RULES} characters`)
  return all
}

async function moveMarket(
  em: EntityManager,
  by: Resolver,
  event: EventRow,
  market: MarketRow,
  { end, reason, change }: Moved,
  at: Date,
): Promise<void> {
  const { condition_id, end_time } = market
  // Markets that are decided by the rules of their event go on to be.
  const before = market.rules === event.rules ? event.ends : end_time
  await tables(em)
    .updateTable('market')
    .set({ end_time: end, rules: grown(market.rules, change(before)), updated_at: sql`now()` })
    .where('condition_id', '=', condition_id)
    .execute()
  await recordStep(em, by, condition_id, { step: 'rescheduled', at, note: reason, deadline: end })
  if (market.registered_at)
    await tables(em).updateTable('settlement').set({ moved_at: at }).where('market_condition_id', '=', condition_id).execute()
}

/** Lets the event end with the last of its markets. */
async function moveEvent(em: EntityManager, { id, rules, ends }: EventRow, { change }: Moved): Promise<void> {
  await tables(em)
    .updateTable('event')
    .set((eb) => ({
      end_date: eb
        .selectFrom('market')
        .select((market) => market.fn.max('end_time').as('last'))
        .where('event_id', '=', id),
      rules: grown(rules, change(ends)),
      updated_at: sql`now()`,
    }))
    .where('id', '=', id)
    .execute()
}

/** The mode of moved markets is named so that the exchange refuses one that it has closed, before anything of it changes. */
async function tellExchange(site: Site, em: EntityManager, id: string, moved: ReadonlyMap<string, boolean>, end: Date): Promise<void> {
  const { exchange } = await askExchange(site.exchange.operator())
  const tell = ({ id: condition, metadata }: Awaited<ReturnType<typeof metadataOf>>[number]) => {
    const isActive = moved.get(condition)
    const times = isActive === undefined ? {} : { end_time: end.toISOString(), mode: isActive ? ('open' as const) : ('paused' as const) }
    return exchange.patchCondition({ params: { id: condition }, body: { metadata, ...times } }).catch((error: unknown) => {
      if (error instanceof RefusedError && error.code === 'condition_not_open') throw over(error)
      throw error
    })
  }
  await askExchangeForEach(await metadataOf(em, id), tell, () => stillHere(em))
}
