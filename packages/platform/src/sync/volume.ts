import { parseUsdc } from '@augury/units/decimal'
import { LOOKUP_BATCH } from '@augury/wire/limits'
import type { ConditionVolume } from '@augury/wire/market'
import { survey, Unusable } from './market-batches.ts'
import type { Ask, Job } from './run-job.ts'
import { type SeenMarket, updateOf, writeMarkets } from './write-markets.ts'

/** A row of the answer under the names of the columns, money in millionths. */
interface Figures extends SeenMarket {
  volume: number
  volume_24h: number
  open_interest: number
  /** Null while the exchange does not count them: the last figure stays. */
  active_positions_count: number | null
}

/** Keeps volume, open interest and holders of markets, and the totals of their events, true to the exchange. */
export const volumeJob = (exchange: Ask<'getVolumes'>): Job => ({
  name: 'volume',
  async work(platform, run) {
    const { getVolumes } = await exchange()
    await survey<Figures>(platform, run, {
      batch: LOOKUP_BATCH,
      async ask(markets) {
        const conditions = markets.map(({ conditionId }) => ({ condition_id: conditionId }))
        const rows = await getVolumes({ body: { include_24h: true, conditions } })
        const byId = new Map(rows.map((row) => [row.condition_id.toLowerCase(), row]))
        return ({ conditionId }) => toFigures(conditionId, byId.get(conditionId))
      },
      write: (em, figures) => writeMarkets(em, UPDATE, [JSON.stringify(figures)]),
    })
  },
})

/** Reads one row of the answer. Throws `Unusable` or a `DecimalError`. */
function toFigures(conditionId: string, row: ConditionVolume | undefined): Figures {
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

const UPDATE = updateOf({ volume: 'bigint', volume_24h: 'bigint', open_interest: 'bigint', active_positions_count: 'int' }, [
  'active_positions_count',
])
