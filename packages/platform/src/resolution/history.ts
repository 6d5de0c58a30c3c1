import type { RESOLUTION_STEPS } from '@augury/domain/platform/resolution-step.entity'
import { tables } from '@augury/domain/platform/tables'
import { ONE } from '@augury/units/price'
import type { Output } from '@augury/wire/operation'
import type { platformPageQueries } from '@augury/wire/platform/page-queries'
import { ServiceError } from '@augury/wire/service-error'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Platform } from '../site/platform.ts'

/** Who takes a step of a resolution: an operator, the rules of a price series, or the passing of time. */
export type Resolver =
  /** `named`: the admins of the program's settings, to tell whether two wallets are two people. */
  { kind: 'operator'; userId: string; address: string; named: readonly string[] } | { kind: 'series'; slug: string } | { kind: 'clock' }

/** A step of the resolution of a market, and when it was taken. */
export interface Happened {
  step: (typeof RESOLUTION_STEPS)[number]
  at: Date
  /** Evidence and reasons, public. */
  note?: string | undefined
  /** What a Yes share pays, in steps of 0.0001. */
  weight?: number | null
  /** Of a proposal when it may no longer be disputed, of a rescheduled market its new end. */
  deadline?: Date
}

/**
 * Adds a line to the history, in the transaction of the step itself; the settlement job passes it on to the exchange. A line is never older than
 * the one before it, also after the clock was set back: who has to confirm follows from the last proposal.
 */
export async function recordStep(em: EntityManager, by: Resolver, conditionId: string, happened: Happened): Promise<void> {
  const { step, at, note = '', weight = null, deadline = null } = happened
  const actor = by.kind === 'operator' ? by.address.toLowerCase() : by.kind === 'series' ? by.slug : ''
  const user = by.kind === 'operator' ? by.userId : null
  const before = await tables(em)
    .selectFrom('resolution_step')
    .select((eb) => eb.fn.max('at').as('at'))
    .where('market_condition_id', '=', conditionId)
    .where('at', '>', at)
    .executeTakeFirst()
  await tables(em)
    .insertInto('resolution_step')
    .values({
      market_condition_id: conditionId,
      step,
      at: before?.at ? new Date(before.at.getTime() + 1) : at,
      actor_kind: by.kind,
      actor,
      user_id: user,
      weight,
      deadline_at: deadline,
      note: note.slice(0, 2000),
    })
    .execute()
  await tables(em)
    .insertInto('settlement')
    .values({ market_condition_id: conditionId })
    .onConflict((conflict) => conflict.column('market_condition_id').doUpdateSet({ mirrored: false }))
    .execute()
}

type Operation = typeof platformPageQueries.resolutionHistory

/** The resolution history of each market of an event, oldest step first. Throws `event_not_found`. */
export async function resolutionHistory(platform: Platform, { slug }: { slug: string }): Promise<Output<Operation>> {
  const em = platform.em()
  const event = await tables(em).selectFrom('event').select('id').where('slug', '=', slug).where('status', '<>', 'draft').executeTakeFirst()
  if (!event) throw new ServiceError('event_not_found')
  return resolutionsOf(em, event.id)
}

/** The same for an event by its id, whatever its status. */
export async function resolutionsOf(em: EntityManager, eventId: string): Promise<Output<Operation>> {
  const rows = await stepsOf(em, eventId).execute()
  return [...Map.groupBy(rows, ({ condition_id }) => condition_id).values()].map((lines) => {
    const { condition_id, status, flagged, paused, deadline_at, end_time } = lines[0]!
    const steps = lines
      .filter(({ step }) => step !== null)
      .map(({ step, at, actor_kind, actor, weight, step_deadline_at, note }) => ({
        step: step!,
        at: at!.toISOString(),
        actor_kind: actor_kind!,
        actor: actor!,
        yes_pays: weight === null ? null : weight / ONE,
        deadline_at: step_deadline_at?.toISOString() ?? null,
        note: note!,
      }))
    return {
      condition_id,
      status,
      flagged,
      paused,
      deadline_at: deadline_at?.toISOString() ?? null,
      end_time: end_time.toISOString(),
      steps,
    }
  })
}

const stepsOf = (em: EntityManager, eventId: string) =>
  tables(em)
    .selectFrom('market')
    .leftJoin('resolution_step', 'market_condition_id', 'condition_id')
    .select(['condition_id', 'resolution_status as status', 'resolution_flagged as flagged', 'resolution_paused as paused'])
    .select(['resolution_deadline_at as deadline_at', 'end_time', 'step', 'at', 'actor_kind', 'actor', 'resolution_step.weight'])
    .select(['resolution_step.deadline_at as step_deadline_at', 'note'])
    .where('event_id', '=', eventId)
    .orderBy('position')
    .orderBy('at')
    .orderBy('resolution_step.id')
