import { ONE } from '@augury/units/price'
import { ServiceError } from '@augury/wire/service-error'
import type { EntityManager } from '@mikro-orm/postgresql'
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

type Status = 'pending' | 'proposed' | 'disputed' | 'confirmed'

interface Row {
  condition_id: string
  event_id: string
  neg_risk: boolean
  resolution_status: Status
  resolution_flagged: boolean
  resolution_paused: boolean
  resolution_deadline_at: string | Date | null
  proposed_weight: number | null
}

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
  await em.execute(
    `update market set resolution_status = 'proposed', proposed_weight = ?, resolution_deadline_at = ?, updated_at = now() where condition_id = ?`,
    [weight, deadline, market.condition_id],
  )
  await recordStep(em, by, market.condition_id, { step: 'proposed', at, note, weight, deadline })
}

/** Disputes a proposal: nothing is paid until a new proposal has passed its deadline. Throws `market_not_found`, `resolution_conflict`. */
export async function disputeResolution(em: EntityManager, by: Resolver, { conditionId, note }: Decision, at: Date): Promise<void> {
  const market = await lock(em, conditionId, ['proposed'])
  await em.execute(`update market set resolution_status = 'disputed', updated_at = now() where condition_id = ?`, [market.condition_id])
  await recordStep(em, by, market.condition_id, { step: 'disputed', at, note, weight: market.proposed_weight })
}

/** Withdraws a proposal as if none had been made. Throws `market_not_found`, `resolution_conflict`. */
export async function cancelResolution(em: EntityManager, by: Resolver, { conditionId, note }: Decision, at: Date): Promise<void> {
  const market = await lock(em, conditionId, ['proposed', 'disputed'])
  await em.execute(
    `update market set resolution_status = 'pending', proposed_weight = null, resolution_deadline_at = null, updated_at = now() where condition_id = ?`,
    [market.condition_id],
  )
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
  await em.execute(
    `update market set resolution_status = 'confirmed', weight = proposed_weight, proposed_weight = null, is_resolved = true,
       is_active = false, resolution_flagged = false, updated_at = now() where condition_id = ?`,
    [market.condition_id],
  )
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
  const [proposal]: { actor_kind: Resolver['kind']; actor: string }[] = await em.execute(
    `select actor_kind, actor from resolution_step where market_condition_id = ? and step = 'proposed' order by at desc, id desc limit 1`,
    [condition_id],
  )
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
  await em.execute('update market set resolution_flagged = ?, updated_at = now() where condition_id = ?', [flagged, market.condition_id])
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
  await em.execute('update market set resolution_paused = ?, updated_at = now() where condition_id = ?', [paused, market.condition_id])
  await recordStep(em, by, market.condition_id, { step: paused ? 'paused' : 'resumed', at, note })
}

const conflict = (status: string) => new ServiceError('resolution_conflict', { values: { status } })

/** Reads and locks a market that is registered at the exchange, and checks that its resolution is in a status where the step may begin. */
async function lock(em: EntityManager, conditionId: string, from: readonly Status[]): Promise<Row> {
  const [market]: Row[] = await em.execute(
    `select condition_id, event_id, resolution_status, resolution_flagged, resolution_paused, resolution_deadline_at, proposed_weight,
       (select neg_risk from event where id = event_id) as neg_risk
     from market where condition_id = ? and registered_at is not null for no key update`,
    [conditionId.toLowerCase()],
  )
  if (!market) throw new ServiceError('market_not_found')
  if (!from.includes(market.resolution_status)) throw conflict(market.resolution_status)
  return market
}

/** What the other markets of an event pay together, and how many are open or not registered at the exchange. */
interface Others {
  paid: number
  open: number
  unregistered: number
}

/** Reads them; with proposals counted as final where asked to. Steps of other markets of the event are locked out meanwhile. */
async function othersOf(em: EntityManager, market: Row, { proposed }: { proposed: boolean }): Promise<Others> {
  await em.execute('select from event where id = ? for update', [market.event_id])
  const [others]: [Others] = await em.execute(
    `select coalesce(sum(pays), 0)::int as paid, count(*) filter (where pays is null)::int as open,
       count(*) filter (where registered_at is null)::int as unregistered
     from (select registered_at, case when is_resolved then weight when ? and resolution_status = 'proposed' then proposed_weight end as pays
       from market where event_id = ? and condition_id <> ?) other`,
    [proposed, market.event_id, market.condition_id],
  )
  return others
}

/** Exactly one answer of an event wins: the weights of its markets add up to one, and never exceed it before the last. */
function requireSum(weight: number, { paid, open }: Others): void {
  const total = paid + weight
  if (total <= ONE && (open > 0 || total === ONE)) return
  const text = `The markets of this event pay exactly 1 together. The others pay ${paid / ONE}, so this one cannot pay ${weight / ONE}.`
  throw new ServiceError('invalid_weight', { text })
}
