import type { RESOLUTION_STEPS } from '@augury/domain/platform/resolution-step.entity'
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
  await em.execute(
    `insert into resolution_step (market_condition_id, step, at, actor_kind, actor, user_id, weight, deadline_at, note)
     values (?, ?, greatest(?, (select max(at) + interval '1 millisecond' from resolution_step where market_condition_id = ? and at > ?)),
       ?, ?, ?, ?, ?, ?)`,
    [conditionId, step, at, conditionId, at, by.kind, actor, user, weight, deadline, note.slice(0, 2000)],
  )
  await em.execute(
    'insert into settlement (market_condition_id) values (?) on conflict (market_condition_id) do update set mirrored = false',
    [conditionId],
  )
}

interface Row {
  condition_id: string
  status: 'pending' | 'proposed' | 'disputed' | 'confirmed'
  flagged: boolean
  paused: boolean
  deadline_at: string | null
  end_time: string
  step: Happened['step'] | null
  at: string
  actor_kind: Resolver['kind']
  actor: string
  weight: number | null
  step_deadline_at: string | null
  note: string
}

type Operation = typeof platformPageQueries.resolutionHistory

/** The resolution history of each market of an event, oldest step first. Throws `event_not_found`. */
export async function resolutionHistory(platform: Platform, { slug }: { slug: string }): Promise<Output<Operation>> {
  const em = platform.em()
  const [event] = await em.execute(`select id from event where slug = ? and status <> 'draft'`, [slug])
  if (!event) throw new ServiceError('event_not_found')
  return resolutionsOf(em, event.id)
}

/** The same for an event by its id, whatever its status. */
export async function resolutionsOf(em: EntityManager, eventId: string): Promise<Output<Operation>> {
  const rows: Row[] = await em.execute(HISTORY, [eventId])
  return [...Map.groupBy(rows, ({ condition_id }) => condition_id).values()].map((lines) => {
    const { condition_id, status, flagged, paused, deadline_at, end_time } = lines[0]!
    const steps = lines
      .filter(({ step }) => step !== null)
      .map(({ step, at, actor_kind, actor, weight, step_deadline_at, note }) => ({
        step: step!,
        at: iso(at),
        actor_kind,
        actor,
        yes_pays: weight === null ? null : weight / ONE,
        deadline_at: step_deadline_at === null ? null : iso(step_deadline_at),
        note,
      }))
    return {
      condition_id,
      status,
      flagged,
      paused,
      deadline_at: deadline_at === null ? null : iso(deadline_at),
      end_time: iso(end_time),
      steps,
    }
  })
}

const iso = (time: string) => new Date(time).toISOString()

const HISTORY = `
  select condition_id, resolution_status as status, resolution_flagged as flagged, resolution_paused as paused,
    resolution_deadline_at as deadline_at, end_time, step, at, actor_kind, actor, resolution_step.weight,
    resolution_step.deadline_at as step_deadline_at, note
  from market left join resolution_step on market_condition_id = condition_id
  where event_id = ?
  order by position, at, resolution_step.id`
