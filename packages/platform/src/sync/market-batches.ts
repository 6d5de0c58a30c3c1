import type { EntityManager } from '@mikro-orm/postgresql'
import type { Platform } from '../platform.ts'
import type { Run } from './run-job.ts'

/** A market that jobs look after: registered on the exchange and not resolved. */
export interface SyncedMarket {
  conditionId: string
  /** Token of the first outcome. */
  yesToken: string
}

/** Reads what the exchange says of a batch; returns what to write. */
export type Look = (markets: SyncedMarket[]) => Promise<(em: EntityManager) => Promise<void>>

const NEXT = `
  select condition_id as "conditionId", token_id as "yesToken"
  from market join outcome on market_condition_id = condition_id and index = 0
  where registered_at is not null and not is_resolved and condition_id > ?
  order by condition_id limit ?`

/**
 * Goes once around all markets in batches, from where the last run stopped. A batch that cannot be read is tried again in halves, so
 * that one bad market costs only itself; when the exchange does not answer at all, the batch is noted and the next run comes back to it.
 */
export async function eachBatch(platform: Platform, run: Run, size: number, look: Look): Promise<void> {
  while (run.hasTime()) {
    const markets: SyncedMarket[] = await platform.em().execute(NEXT, [run.cursor ?? '', size])
    run.count('scanned', markets.length)
    const isLast = markets.length < size
    const writes = await lookBySteps(run, markets, look)
    await run.step(isLast ? null : markets.at(-1)!.conditionId, async (em) => {
      for (const write of writes) await write(em)
    })
    if (isLast) return
  }
}

async function lookBySteps(run: Run, markets: SyncedMarket[], look: Look): Promise<((em: EntityManager) => Promise<void>)[]> {
  if (markets.length === 0) return []
  try {
    return [await look(markets)]
  } catch (error) {
    if (markets.length === 1 || !run.hasTime()) {
      run.fail(markets.length === 1 ? markets[0]!.conditionId : `${markets.length} markets`, error)
      return []
    }
    const middle = markets.length >> 1
    return [...(await lookBySteps(run, markets.slice(0, middle), look)), ...(await lookBySteps(run, markets.slice(middle), look))]
  }
}
