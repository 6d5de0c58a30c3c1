import type { VenueClient } from '@augury/client/rest'
import { parseUsdc } from '@augury/units/decimal'
import { LOOKUP_BATCH } from '@augury/wire/limits'
import type { ConditionVolume } from '@augury/wire/market'
import type { EntityManager } from '@mikro-orm/postgresql'
import { refreshEventTotals } from '../events/event-totals.ts'
import { LOCKED, survey, Unusable } from './market-batches.ts'
import type { Job } from './run-job.ts'

/** A row of the answer under the names of the columns, money in millionths. */
interface Figures {
  condition_id: string
  volume: number
  volume_24h: number
  open_interest: number
  /** Null while the exchange does not count them: the last figure stays. */
  active_positions_count: number | null
}

/** Keeps volume, open interest and holders of markets, and the totals of their events, true to the exchange. */
export const volumeJob = (exchange: Pick<VenueClient, 'getVolumes'>): Job => ({
  name: 'volume',
  work: (platform, run) =>
    survey<Figures>(platform, run, {
      batch: LOOKUP_BATCH,
      async ask(markets) {
        const conditions = markets.map(({ conditionId }) => ({ condition_id: conditionId }))
        const rows = await exchange.getVolumes({ body: { include_24h: true, conditions } })
        const byId = new Map(rows.map((row) => [row.condition_id.toLowerCase(), row]))
        return ({ conditionId }) => toFigures(conditionId, byId.get(conditionId))
      },
      write,
    }),
})

/** Reads one row of the answer. Throws `Unusable` or a `DecimalError`. */
export function toFigures(conditionId: string, row: ConditionVolume | undefined): Figures {
  if (!row) throw new Unusable('missing in the answer')
  if (row.status !== 200) throw new Unusable(`the exchange answers ${row.status}`)
  const { volume, volume_24h, open_interest, active_positions_count } = row
  if (volume === undefined || volume_24h === undefined || open_interest === undefined) throw new Unusable('figures are missing')
  return {
    condition_id: conditionId,
    volume: parseUsdc(volume),
    volume_24h: parseUsdc(volume_24h),
    open_interest: parseUsdc(open_interest),
    active_positions_count: active_positions_count ?? null,
  }
}

async function write(em: EntityManager, figures: Figures[]): Promise<number> {
  const changed: { event_id: string }[] = await em.execute(UPDATE, [JSON.stringify(figures)])
  await refreshEventTotals(
    em,
    changed.map(({ event_id }) => event_id),
  )
  return changed.length
}

const UPDATE = `
  with seen as (
    select * from jsonb_to_recordset(?::jsonb)
      as seen (condition_id text, volume bigint, volume_24h bigint, open_interest bigint, active_positions_count int)
  ), ${LOCKED}
  update market set volume = seen.volume, volume_24h = seen.volume_24h, open_interest = seen.open_interest,
    active_positions_count = coalesce(seen.active_positions_count, market.active_positions_count), updated_at = now()
  from seen join locked using (condition_id)
  where market.condition_id = seen.condition_id
    and (market.volume, market.volume_24h, market.open_interest, market.active_positions_count) is distinct from
      (seen.volume, seen.volume_24h, seen.open_interest, coalesce(seen.active_positions_count, market.active_positions_count))
  returning event_id`
