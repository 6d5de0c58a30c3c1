import { parseUsdc } from '@augury/units/decimal'
import { LOOKUP_BATCH } from '@augury/wire/limits'
import type { ConditionVolume } from '@augury/wire/market'
import type { EntityManager } from '@mikro-orm/postgresql'
import { readMarkets, type Survey, SYNCED_MARKET, type SyncedMarket, survey, Unusable } from '../jobs/market-batches.ts'
import type { Ask, Job, Run } from '../jobs/run-job.ts'
import type { Platform } from '../site/platform.ts'
import { type SeenMarket, updateOf, writeMarkets } from './write-markets.ts'

/** A row of the answer by column name, money in millionths. */
interface Figures extends SeenMarket {
  volume: number
  volume_24h: number
  open_interest: number
  event_interest: number
  /** Null while the exchange does not count them: the last figure stays. */
  active_positions_count: number | null
}

/**
 * Keeps volume, open interest and holders of markets, and the totals of their events, in step with the exchange. Resolved markets are
 * included until everybody is paid and a day has passed; otherwise their last figures would count as traded today for ever.
 */
export const volumeJob = (exchange: Ask<'getVolumes'>): Job => ({
  name: 'volume',
  async work(platform, run) {
    const { getVolumes } = await exchange()
    const ask = async (markets: readonly SyncedMarket[]) => {
      const conditions = markets.map(({ conditionId }) => ({ condition_id: conditionId }))
      const rows = await getVolumes({ body: { include_24h: true, conditions } })
      const byId = new Map(rows.map((row) => [row.condition_id.toLowerCase(), row]))
      return ({ conditionId }: SyncedMarket) => toFigures(conditionId, byId.get(conditionId))
    }
    await survey<Figures>(platform, run, {
      batch: LOOKUP_BATCH,
      ask,
      write: (em, figures) => writeMarkets(em, updateOf(COLUMNS, KEPT), [JSON.stringify(figures)]),
    })
    if (run.cursor === null) await endResolved(platform, run, ask)
  },
})

/** Goes through the resolved markets whose figures are not final yet; what there is no time for waits for the next round. */
async function endResolved(platform: Platform, run: Run, ask: Survey<Figures>['ask']): Promise<void> {
  const all: SyncedMarket[] = await platform.em().execute(RESOLVED)
  const left = all.filter(({ conditionId }) => !run.waits(conditionId))
  for (let n = 0; n < left.length && run.hasTime(); n += LOOKUP_BATCH) {
    const markets = left.slice(n, n + LOOKUP_BATCH)
    const figures = await readMarkets(run, { ask }, markets)
    const write = async (em: EntityManager) => {
      run.count('updated', await writeMarkets(em, updateOf(COLUMNS, KEPT, 'is_resolved'), [JSON.stringify(figures)]))
    }
    await run.step(
      null,
      write,
      markets.map(({ conditionId }) => conditionId),
    )
    run.count('scanned', markets.length)
  }
}

/** Most recently resolved first: what was traded in a market that lasted minutes may never have been read. */
const RESOLVED = `${SYNCED_MARKET}
  where is_resolved and registered_at is not null and (volume_24h > 0 or open_interest > 0 or event_interest > 0 or updated_at > now() - interval '15 minutes')
  order by updated_at desc, condition_id limit 5000`

/** Reads one row of the answer. Throws `Unusable` or a `DecimalError`. */
function toFigures(conditionId: string, row: ConditionVolume | undefined): Figures {
  if (!row) throw new Unusable('missing in the answer')
  if (row.status !== 200) throw new Unusable(`the exchange answers ${row.status}`)
  const { volume, volume_24h, open_interest, event_open_interest = '0', active_positions_count } = row
  if (volume === undefined || volume_24h === undefined || open_interest === undefined) throw new Unusable('figures are missing')
  return {
    condition_id: conditionId,
    volume: parseUsdc(volume),
    volume_24h: parseUsdc(volume_24h),
    open_interest: parseUsdc(open_interest),
    event_interest: parseUsdc(event_open_interest),
    active_positions_count: active_positions_count ?? null,
  }
}

const COLUMNS = { volume: 'bigint', volume_24h: 'bigint', open_interest: 'bigint', event_interest: 'bigint', active_positions_count: 'int' }
const KEPT = ['active_positions_count']
