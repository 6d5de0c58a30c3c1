import { BadAnswerError, RefusedError } from '@augury/client/answer'
import { DecimalError } from '@augury/units/decimal'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Platform } from '../site/platform.ts'
import type { Run } from './run-job.ts'

/** A market that is registered on the exchange. */
export interface SyncedMarket {
  conditionId: string
  /** Tokens of the first outcome and of the second. */
  yesToken: string
  noToken: string
}

/** Thrown by a reader when the answer about one market cannot be used. */
export class Unusable extends Error {
  override readonly name = 'Unusable'
}

/** Whether a failure concerns one item of an answer and says nothing of the others. */
export const isUnusable = (error: unknown): boolean => error instanceof Unusable || error instanceof DecimalError

/** How a job updates one kind of row. */
export interface Survey<Row> {
  /** Markets in one request to the exchange. */
  batch: number
  /** An SQL condition on the markets; unresolved ones by default. */
  only?: string
  /** Requests some markets; returns the reader of one market's part, which may throw `Unusable` or a `DecimalError`. */
  ask(markets: SyncedMarket[]): Promise<(market: SyncedMarket) => Row>
  /** Writes what changed; returns how many rows did. */
  write(em: EntityManager, rows: Row[]): Promise<number>
}

/**
 * Goes through the markets once in batches, from where the last run stopped. A batch that the exchange fails on is split in halves, so that
 * one bad market costs only itself. When the exchange does not answer at all, the run ends and the next one resumes.
 */
export async function survey<Row>(platform: Platform, run: Run, plan: Survey<Row>): Promise<void> {
  while (run.hasTime()) {
    const batch: SyncedMarket[] = await platform.em().execute(next(plan.only ?? 'not is_resolved'), [run.cursor ?? '', plan.batch])
    const markets = batch.filter(({ conditionId }) => !run.waits(conditionId))
    const rows = markets.length === 0 ? [] : await readMarkets(run, plan, markets)
    const isLast = batch.length < plan.batch
    const cursor = isLast ? null : batch.at(-1)!.conditionId
    const write = async (em: EntityManager) => {
      if (rows.length > 0) run.count('updated', await plan.write(em, rows))
    }
    await run.step(
      cursor,
      write,
      markets.map(({ conditionId }) => conditionId),
    )
    run.count('scanned', batch.length)
    if (isLast) return
  }
}

/** Reads what the exchange says of some markets, as `survey` describes. */
export async function readMarkets<Row>(run: Run, plan: Pick<Survey<Row>, 'ask'>, markets: SyncedMarket[]): Promise<Row[]> {
  try {
    const reader = await run.patiently(() => plan.ask(markets))
    return markets.flatMap((market) => {
      try {
        return [reader(market)]
      } catch (error) {
        if (!isUnusable(error)) throw error
        run.fail(market.conditionId, error)
        return []
      }
    })
  } catch (error) {
    if (!isAboutItems(error)) throw error
    if (markets.length === 1) {
      run.fail(markets[0]!.conditionId, error)
      return []
    }
    const middle = markets.length >> 1
    return [...(await readMarkets(run, plan, markets.slice(0, middle))), ...(await readMarkets(run, plan, markets.slice(middle)))]
  }
}

/** Whether a smaller request may succeed: the exchange answered, and was neither overloaded nor refusing us. */
export function isAboutItems(error: unknown): boolean {
  if (error instanceof BadAnswerError) return true
  return error instanceof RefusedError && ![401, 403, 429, 502, 503, 504].includes(error.status)
}

// Tokens are looked up per market: with a join, every step would read all markets before the cursor.
export const SYNCED_MARKET = `
  select condition_id as "conditionId",
    (select token_id from outcome where market_condition_id = condition_id and index = 0) as "yesToken",
    (select token_id from outcome where market_condition_id = condition_id and index = 1) as "noToken"
  from market`

const next = (only: string) => `${SYNCED_MARKET}
  where registered_at is not null and ${only} and condition_id > ?
  order by condition_id limit ?`
