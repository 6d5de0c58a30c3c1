import { BadAnswerError, RefusedError } from '@augury/client/answer'
import { DecimalError } from '@augury/units/decimal'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Platform } from '../platform.ts'
import type { Run } from './run-job.ts'

/** A market that jobs look after: registered on the exchange and not resolved. */
export interface SyncedMarket {
  conditionId: string
  /** Token of the first outcome. */
  yesToken: string
}

/** Thrown by a reader when the answer about one market cannot be used. */
export class Unusable extends Error {
  override readonly name = 'Unusable'
}

/** How a job keeps one kind of row true. */
export interface Survey<Row> {
  /** Markets in one question to the exchange. */
  batch: number
  /** Asks about some markets; returns the reader of one market's part, which may throw `Unusable` or a `DecimalError`. */
  ask(markets: SyncedMarket[]): Promise<(market: SyncedMarket) => Row>
  /** Writes what changed; returns how many rows did. */
  write(em: EntityManager, rows: Row[]): Promise<number>
}

/**
 * Goes once around all markets in batches, from where the last run stopped. A batch that the exchange chokes on is asked for again in
 * halves, so that one bad market costs only itself. When the exchange does not answer at all, the run ends and the next one comes back.
 */
export async function survey<Row>(platform: Platform, run: Run, plan: Survey<Row>): Promise<void> {
  while (run.hasTime()) {
    const markets: SyncedMarket[] = await platform.em().execute(NEXT, [run.cursor ?? '', plan.batch])
    const rows = markets.length === 0 ? [] : await read(run, plan, markets)
    const isLast = markets.length < plan.batch
    await run.step(isLast ? null : markets.at(-1)!.conditionId, async (em) => {
      if (rows.length > 0) run.count('updated', await plan.write(em, rows))
    })
    run.count('scanned', markets.length)
    if (isLast) return
  }
}

async function read<Row>(run: Run, plan: Survey<Row>, markets: SyncedMarket[]): Promise<Row[]> {
  try {
    const reader = await plan.ask(markets)
    return markets.flatMap((market) => {
      try {
        return [reader(market)]
      } catch (error) {
        if (!(error instanceof Unusable || error instanceof DecimalError)) throw error
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
    return [...(await read(run, plan, markets.slice(0, middle))), ...(await read(run, plan, markets.slice(middle)))]
  }
}

/** Whether a smaller question may fare better: the exchange did answer, and was neither busy nor unwilling to talk to us. */
function isAboutItems(error: unknown): boolean {
  if (error instanceof BadAnswerError) return true
  return error instanceof RefusedError && ![401, 403, 429, 502, 503, 504].includes(error.status)
}

const NEXT = `
  select condition_id as "conditionId", token_id as "yesToken"
  from market join outcome on market_condition_id = condition_id and index = 0
  where registered_at is not null and not is_resolved and condition_id > ?
  order by condition_id limit ?`

/**
 * For statements that write the markets of `seen`: locks them in the order of their ids. Every job does, and takes events only after
 * markets, so two jobs over the same markets wait for each other and never in a circle.
 */
export const LOCKED = `locked as (
    select condition_id from market join seen using (condition_id) order by condition_id for no key update of market
  )`
