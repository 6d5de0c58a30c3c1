import type { EntityManager } from '@mikro-orm/postgresql'
import { lockMarkets } from '../events/lock-markets.ts'
import type { Run } from '../jobs/run-job.ts'
import type { MarketState } from './exchange-market.ts'
import { writeMarkets } from './write-markets.ts'

/**
 * The time of the database: a change after this is newer than an answer requested then. Truncated like the column `updated_at`, or a change
 * within the same millisecond would seem older.
 */
export async function databaseTime(em: EntityManager): Promise<string> {
  const [row]: { now: string }[] = await em.execute(`select clock_timestamp()::timestamptz(3)::text as now`)
  return row!.now
}

/** What the exchange said of a market, and when it was asked, by the database's clock. */
export type AskedState = MarketState & { asked_at: string }

/**
 * Updates markets, and their events, to what the exchange said. A market that changed here since the exchange was asked is left until the
 * next round, unless it is new. None is open here whose event is paused. A market resolved here stays resolved; a different result on the
 * exchange is reported and not applied. Resolution flags are taken over only for markets of creators other than the deployment's `own` wallet.
 * Returns how many markets changed.
 */
export async function adoptStates(em: EntityManager, run: Run, own: string, states: readonly AskedState[]): Promise<number> {
  if (states.length === 0) return 0
  const seen = JSON.stringify(states)
  // A statement of its own: those after it see the changes of the transactions that this lock waited for.
  await lockMarkets(
    em,
    states.map(({ condition_id }) => condition_id),
  )
  const torn: { condition_id: string; here: number; there: number }[] = await em.execute(TORN, [seen])
  for (const { condition_id, here, there } of torn) run.fail(condition_id, new Error(`pays ${here} here and ${there} on the exchange`))
  const changed = await writeMarkets(em, ADOPT, [seen, own.toLowerCase(), own.toLowerCase()])
  await em.execute(TO_PAY, [seen, own.toLowerCase()])
  return changed
}

/** A market of the deployment's own that was resolved on the exchange by hand is paid like the others. */
const TO_PAY = `
  insert into settlement (market_condition_id)
  select condition_id from market join event on event.id = event_id
  where condition_id in (select condition_id from jsonb_to_recordset(?::jsonb) as seen (condition_id text, weight smallint) where weight is not null)
    and is_resolved and creator = ?
  on conflict (market_condition_id) do nothing`

const SEEN = `
  select * from jsonb_to_recordset(?::jsonb) as seen (condition_id text, is_open boolean, grid smallint, min_lots int, fee_bps smallint,
    end_time timestamptz, weight smallint, resolution_flagged boolean, resolution_paused boolean, asked_at timestamptz)`

const TORN = `
  with seen as (${SEEN})
  select condition_id, market.weight as here, seen.weight as there
  from market join seen using (condition_id) where market.weight <> seen.weight`

const ADOPT = `
  with seen as (${SEEN}),
  fresh as (
    select condition_id, seen.is_open and not is_resolved and seen.weight is null and event.paused_at is null as is_active, seen.grid, seen.min_lots, seen.fee_bps,
      seen.end_time, is_resolved or seen.weight is not null as is_resolved, coalesce(market.weight, seen.weight) as weight,
      case when is_resolved or seen.weight is not null then 'confirmed' else resolution_status end as resolution_status,
      case when seen.weight is null then proposed_weight end as proposed_weight,
      case when event.creator = ? then market.resolution_flagged else seen.resolution_flagged end as resolution_flagged,
      case when event.creator = ? then market.resolution_paused else seen.resolution_paused end as resolution_paused
    from market join seen using (condition_id) join event on event.id = event_id
    where registered_at is null or market.updated_at < seen.asked_at
  )
  update market set registered_at = coalesce(registered_at, now()), is_active = fresh.is_active, grid = fresh.grid, min_lots = fresh.min_lots,
    fee_bps = fresh.fee_bps, end_time = fresh.end_time, is_resolved = fresh.is_resolved, weight = fresh.weight,
    resolution_status = fresh.resolution_status, proposed_weight = fresh.proposed_weight, resolution_flagged = fresh.resolution_flagged,
    resolution_paused = fresh.resolution_paused, updated_at = now()
  from fresh
  where market.condition_id = fresh.condition_id
    and (registered_at is null or (market.is_active, market.grid, market.min_lots, market.fee_bps, market.end_time, market.is_resolved,
        market.weight, market.resolution_status, market.proposed_weight, market.resolution_flagged, market.resolution_paused)
      is distinct from (fresh.is_active, fresh.grid, fresh.min_lots, fresh.fee_bps, fresh.end_time, fresh.is_resolved,
        fresh.weight, fresh.resolution_status, fresh.proposed_weight, fresh.resolution_flagged, fresh.resolution_paused))
  returning event_id`
