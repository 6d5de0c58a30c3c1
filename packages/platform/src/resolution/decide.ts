import { type PlatformTables, tables } from '@augury/domain/platform/tables'
import { ONE } from '@augury/units/price'
import { ServiceError } from '@augury/wire/service-error'
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql, type Updateable } from 'kysely'
import { areTwoAdmins } from '../authorization/second-admin.ts'
import { invalidate } from '../cache/generations.ts'
import { refreshEventTotals } from '../events/event-totals.ts'
import { readSettings } from '../settings/site-settings.ts'
import { type Resolver, recordStep } from './history.ts'

/** A market to resolve and why; the note is public. */
export interface Decision {
  conditionId: string
  note?: string | undefined
}

/** A proposed result: `weight` is what a Yes share pays, in steps of 0.0001. */
export interface Proposal extends Decision {
  weight: number
  /** Seconds during which it may be disputed. */
  disputeSeconds?: number
}

/** Seconds during which a proposal may be disputed by default. */
const DISPUTE_SECONDS = 7200

// Every function below is one step: call it in a transaction, with the current time.

/**
 * Proposes the result of a market; after its deadline it is final unless disputed. Throws `market_not_found`, `invalid_weight`,
 * `resolution_conflict`.
 */
export async function proposeResolution(em: EntityManager, by: Resolver, proposal: Proposal, at: Date): Promise<void> {
  const { conditionId, weight, note, disputeSeconds = DISPUTE_SECONDS } = proposal
  if (!Number.isInteger(weight) || weight < 0 || weight > ONE) throw new ServiceError('invalid_weight')
  const market = await lock(em, conditionId, ['pending', 'disputed'])
  if (market.neg_risk) requireSum(weight, await othersOf(em, market, { proposed: true }))
  const deadline = new Date(at.getTime() + disputeSeconds * 1000)
  await write(em, market, { resolution_status: 'proposed', proposed_weight: weight, resolution_deadline_at: deadline })
  await recordStep(em, by, market.condition_id, { step: 'proposed', at, note, weight, deadline })
}

/** Disputes a proposal: nothing is paid until a new proposal has passed its deadline. Throws `market_not_found`, `resolution_conflict`. */
export async function disputeResolution(em: EntityManager, by: Resolver, { conditionId, note }: Decision, at: Date): Promise<void> {
  const market = await lock(em, conditionId, ['proposed'])
  await write(em, market, { resolution_status: 'disputed' })
  await recordStep(em, by, market.condition_id, { step: 'disputed', at, note, weight: market.proposed_weight })
}

/** Withdraws a proposal as if none had been made. Throws `market_not_found`, `resolution_conflict`. */
export async function cancelResolution(em: EntityManager, by: Resolver, { conditionId, note }: Decision, at: Date): Promise<void> {
  const market = await lock(em, conditionId, ['proposed', 'disputed'])
  await write(em, market, { resolution_status: 'pending', proposed_weight: null, resolution_deadline_at: null })
  await recordStep(em, by, market.condition_id, { step: 'cancelled', at, note })
}

/**
 * Makes a proposal final once its deadline has passed: trading ends, and the settlement job pays holders through the exchange. While
 * flagged only an operator may confirm, and while paused no one. `weight` is the result that the confirming party has seen. Throws
 * `market_not_found`, `resolution_conflict`, `event_incomplete`, `invalid_weight`, `changed_meanwhile` where another result is proposed by
 * now, and `own_admin` where an operator's proposal needs a second operator.
 */
export async function confirmResolution(
  em: EntityManager,
  by: Resolver,
  { conditionId, note, weight: seen }: Decision & { weight?: number | undefined },
  at: Date,
): Promise<void> {
  const market = await lock(em, conditionId, ['proposed'])
  if (seen !== undefined && seen !== market.proposed_weight) throw new ServiceError('changed_meanwhile')
  if (market.resolution_paused) throw conflict('paused')
  if (market.resolution_flagged && by.kind !== 'operator') throw conflict('flagged for review')
  if (new Date(market.resolution_deadline_at!) > at) throw conflict('open to dispute')
  if (await takesAnother(em, by, market)) throw new ServiceError('own_admin')
  const weight = market.proposed_weight!
  if (market.neg_risk) {
    const others = await othersOf(em, market, { proposed: false })
    if (others.unregistered > 0) throw new ServiceError('event_incomplete')
    requireSum(weight, others)
  }
  const ended = { proposed_weight: null, is_resolved: true, is_active: false, resolution_flagged: false }
  await write(em, market, { resolution_status: 'confirmed', weight, ...ended })
  await refreshEventTotals(em, [market.event_id])
  await recordStep(em, by, market.condition_id, { step: 'confirmed', at, note, weight })
  await invalidate(em, ['lists'])
}

/**
 * Returns whether another party than this one has to confirm: other than the operator who proposed, or than those who influenced an
 * automatic proposal.
 */
async function takesAnother(em: EntityManager, by: Resolver, market: Row): Promise<boolean> {
  const { resolution } = await readSettings(em, ['resolution'])
  if (!resolution.values.secondAdmin) return false
  const hands = await handsIn(em, market)
  if (hands.length === 0) return false
  if (by.kind !== 'operator') return true
  for (const hand of hands) if (!(await areTwoAdmins(em, by.named, by.address, hand))) return true
  return false
}

/**
 * The operators behind a proposal. A series' proposal follows from prices and has none, except those who changed, after the market existed,
 * what the series reads or what its event is about.
 */
async function handsIn(em: EntityManager, { condition_id, event_id }: Row): Promise<string[]> {
  const proposal = await tables(em)
    .selectFrom('resolution_step')
    .select(['actor_kind', 'actor'])
    .where('market_condition_id', '=', condition_id)
    .where('step', '=', 'proposed')
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (proposal?.actor_kind === 'operator') return [proposal.actor]
  if (proposal?.actor_kind !== 'series') return []
  const rows: { address: string }[] = await em.execute(HANDS, [proposal.actor, event_id, event_id])
  return rows.map(({ address }) => address)
}

/** Ids sort by time: the database makes them from its own clock. */
const HANDS = `
  select distinct users.address from audit_log join users on users.id = actor_id
  where details ->> 'target' = ? and action = 'price_series_changed' and audit_log.id > ?
      and jsonb_exists_any(details -> 'after', array['source', 'symbol_a', 'symbol_b', 'settlement_seconds', 'dispute_seconds'])
    or details ->> 'target' = ? and (action = 'event_published'
      or action = 'event_changed' and jsonb_exists_any(details -> 'after', array['series_slug', 'rules', 'markets']))`

/** Flags a market for review, or removes the flag. Throws `market_not_found`, `resolution_conflict`. */
export async function flagResolution(
  em: EntityManager,
  by: Resolver,
  { conditionId, note, flagged }: Decision & { flagged: boolean },
  at: Date,
): Promise<void> {
  const market = await lock(em, conditionId, ['pending', 'proposed', 'disputed'])
  if (market.resolution_flagged === flagged) return
  await write(em, market, { resolution_flagged: flagged })
  await recordStep(em, by, market.condition_id, { step: flagged ? 'flagged' : 'unflagged', at, note })
}

/**
 * Holds a resolution, so that it cannot be confirmed, or releases it. Its deadline stays, and it may be disputed meanwhile. Throws
 * `market_not_found`, `resolution_conflict`.
 */
export async function pauseResolution(
  em: EntityManager,
  by: Resolver,
  { conditionId, note, paused }: Decision & { paused: boolean },
  at: Date,
): Promise<void> {
  const market = await lock(em, conditionId, ['pending', 'proposed', 'disputed'])
  if (market.resolution_paused === paused) return
  await write(em, market, { resolution_paused: paused })
  await recordStep(em, by, market.condition_id, { step: paused ? 'paused' : 'resumed', at, note })
}

const conflict = (status: string) => new ServiceError('resolution_conflict', { values: { status } })

const write = (em: EntityManager, { condition_id }: Row, set: Updateable<PlatformTables['market']>) =>
  tables(em)
    .updateTable('market')
    .set({ ...set, updated_at: sql`now()` })
    .where('condition_id', '=', condition_id)
    .execute()

/** Reads and locks a market that is registered at the exchange, and checks that its resolution is in a status where the step may begin. */
async function lock(em: EntityManager, conditionId: string, from: readonly Row['resolution_status'][]): Promise<Row> {
  const market = await locked(em, conditionId.toLowerCase())
  if (!market) throw new ServiceError('market_not_found')
  if (!from.includes(market.resolution_status)) throw conflict(market.resolution_status)
  return market
}

const locked = (em: EntityManager, conditionId: string) =>
  tables(em)
    .selectFrom('market')
    .innerJoin('event', 'event.id', 'market.event_id')
    .select(['condition_id', 'event_id', 'neg_risk', 'resolution_status', 'resolution_flagged', 'resolution_paused'])
    .select(['resolution_deadline_at', 'proposed_weight'])
    .where('condition_id', '=', conditionId)
    .where('registered_at', 'is not', null)
    .forNoKeyUpdate('market')
    .executeTakeFirst()

type Row = NonNullable<Awaited<ReturnType<typeof locked>>>

/** What the other markets of an event pay together, and how many are open or not registered at the exchange. */
interface Others {
  paid: number
  open: number
  unregistered: number
}

/** Reads them; with proposals counted as final where asked to. Steps of other markets of the event are locked out meanwhile. */
async function othersOf(em: EntityManager, market: Row, { proposed }: { proposed: boolean }): Promise<Others> {
  await tables(em).selectFrom('event').select('id').where('id', '=', market.event_id).forUpdate().execute()
  const rows = await tables(em)
    .selectFrom('market')
    .select(['registered_at', 'is_resolved', 'weight', 'resolution_status', 'proposed_weight'])
    .where('event_id', '=', market.event_id)
    .where('condition_id', '<>', market.condition_id)
    .execute()
  const pays = rows.map((row) =>
    row.is_resolved ? row.weight : proposed && row.resolution_status === 'proposed' ? row.proposed_weight : null,
  )
  return {
    paid: pays.reduce<number>((sum, each) => sum + (each ?? 0), 0),
    open: pays.filter((each) => each === null).length,
    unregistered: rows.filter((row) => row.registered_at === null).length,
  }
}

/** Exactly one answer of an event wins: the weights of its markets add up to one, and never exceed it before the last. */
function requireSum(weight: number, { paid, open }: Others): void {
  const total = paid + weight
  if (total <= ONE && (open > 0 || total === ONE)) return
  const text = `The markets of this event pay exactly 1 together. The others pay ${paid / ONE}, so this one cannot pay ${weight / ONE}.`
  throw new ServiceError('invalid_weight', { text })
}
