import { RefusedError } from '@augury/client/answer'
import type { VenueClient } from '@augury/client/rest'
import { type PlatformTables, tables } from '@augury/domain/platform/tables'
import { ONE } from '@augury/units/price'
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql, type Updateable } from 'kysely'
import type { Hex } from 'viem'
import { invalidate } from '../cache/generations.ts'
import { refreshEventTotals } from '../events/event-totals.ts'
import { isDue } from '../jobs/failures.ts'
import type { Job, Run } from '../jobs/run-job.ts'
import { settingsOf } from '../settings/site-settings.ts'
import type { Platform } from '../site/platform.ts'
import { confirmResolution } from './decide.ts'
import { eachItem } from './each-item.ts'
import { recordStep } from './history.ts'
import { notifyOfMove } from './notify-of-move.ts'
import { notifyOfResult } from './notify-of-result.ts'

/** The exchange operations that settlement needs, as the operator of the markets. */
export type SettlementExchange = Pick<
  VenueClient,
  'closeCondition' | 'resolveCondition' | 'redeemCondition' | 'patchCondition' | 'getStatus' | 'listHolders'
>

/** Most markets per kind of work in one run, and holders paid by one command. */
const BATCH = 500
const HOLDERS = 1000

const CLOCK = { kind: 'clock' } as const

/**
 * Ends markets whose time has come, confirms proposals whose deadline has passed, and carries results to the exchange: closes books,
 * reports results, notifies and pays holders. Every step is stored before the next, and every call to the exchange is idempotent, so a run
 * killed at any point is simply resumed.
 */
export const settlementJob = (operator: () => Promise<SettlementExchange>, own: Hex): Job => ({
  name: 'settlement',
  everySeconds: 5,
  async work(platform, run) {
    const all = { platform, run }
    const exchange = once(operator)
    const now = platform.now()
    const list = async (query: string, ...values: Date[]) => {
      const rows: { condition_id: string }[] = await platform.em().execute(query, [own.toLowerCase(), now, now, ...values, BATCH])
      return rows.map(({ condition_id }) => condition_id)
    }
    await eachItem(run, await list(ENDED, now), (id) => close(all, exchange, id))
    // Where a result needs two admins, an admin's proposal never becomes final by the clock.
    if (!(await settingsOf(platform, 'resolution')).secondAdmin) await eachItem(run, await list(DUE, now), (id) => confirm(all, id))
    await eachItem(run, await list(UNPAID), (id) => pay(all, exchange, id))
    await eachItem(
      run,
      await list(MOVED),
      async (id) => void (await notifyOfMove(platform, run, await exchange(), id)),
      (id) => `${id} as moved`,
    )
    await eachItem(
      run,
      await list(UNMIRRORED),
      (id) => mirror(all, exchange, id),
      (id) => `${id} as shown`,
    )
  },
})

interface Work {
  platform: Platform
  run: Run
}
type Exchange = () => Promise<SettlementExchange>

const once = <Made>(make: () => Promise<Made>) => {
  let made: Promise<Made> | undefined
  return () => {
    made ??= make()
    return made
  }
}

/**
 * Closes the book of a market that is resolved or over. A market resolved by hand is already closed for good. The exchange closes it while
 * the market is locked: an end that an admin moves meanwhile is either moved in time, or not at all.
 */
async function close({ platform, run }: Work, exchange: Exchange, id: string): Promise<void> {
  const { closeCondition } = await exchange()
  let isClosed = false
  await run.step(null, async (em) => {
    const market = await tables(em)
      .updateTable('market')
      .set({ is_active: false, updated_at: sql`now()` })
      .where('condition_id', '=', id)
      .where((eb) => eb.or([eb('is_resolved', '=', true), eb('end_time', '<=', platform.now())]))
      .returning('event_id')
      .executeTakeFirst()
    if (!market) return
    isClosed = true
    await closeCondition({ params: { id } }).catch(unless('condition_not_open'))
    await refreshEventTotals(em, [market.event_id])
    await recordStep(em, CLOCK, id, { step: 'closed', at: platform.now() })
    await settled(em, id, { closed_at: platform.now() })
    await invalidate(em, ['lists'])
  })
  if (isClosed) run.count('closed', 1)
}

async function confirm({ platform, run }: Work, id: string): Promise<void> {
  await run.step(null, (em) => confirmResolution(em, CLOCK, { conditionId: id }, platform.now()))
  run.count('confirmed', 1)
}

const settled = (em: EntityManager, id: string, set: Updateable<PlatformTables['settlement']>) =>
  tables(em).updateTable('settlement').set(set).where('market_condition_id', '=', id).execute()

/**
 * Reports the result to the exchange, notifies members of what they get, then pays every holder. A book that is still being emptied waits
 * for the next run.
 */
async function pay(work: Work, exchange: Exchange, id: string): Promise<void> {
  const { platform, run } = work
  const market = await tables(platform.em())
    .selectFrom('market')
    .leftJoin('settlement', 'market_condition_id', 'condition_id')
    .select(['weight', 'closed_at', 'resolved_at', 'told_at'])
    .where('condition_id', '=', id)
    .where('is_resolved', '=', true)
    .where('paid_at', 'is', null)
    .executeTakeFirst()
  if (!market) return
  const weight = market.weight!
  const venue = await exchange()
  if (market.closed_at === null) await close(work, exchange, id)
  if (market.resolved_at === null) {
    const answer = await venue
      .resolveCondition({ params: { id }, body: { weights: [weight, ONE - weight] } })
      .catch(unless('condition_not_empty'))
    if (!answer) return
    await run.step(null, async (em) => {
      await recordStep(em, CLOCK, id, { step: 'settled', at: platform.now(), weight })
      await settled(em, id, { resolved_at: platform.now() })
    })
  }
  if (market.told_at === null && !(await notifyOfResult(platform, run, venue, id))) return
  for (let remaining = true; remaining; ) {
    if (!run.hasTime()) return
    ;({ remaining } = await venue.redeemCondition({ params: { id }, body: { limit: HOLDERS } }))
  }
  await run.step(null, async (em) => {
    await recordStep(em, CLOCK, id, { step: 'paid', at: platform.now() })
    await settled(em, id, { paid_at: platform.now() })
  })
  run.count('paid', 1)
}

const shownOf = (em: EntityManager, id: string) =>
  tables(em)
    .selectFrom('market')
    .select(['resolution_status', 'resolution_flagged', 'resolution_paused', 'resolution_deadline_at'])
    .where('condition_id', '=', id)

/** Publishes the status of the resolution on the exchange; a change made meanwhile is published by the next run. */
async function mirror({ platform, run }: Work, exchange: Exchange, id: string): Promise<void> {
  const shown = await shownOf(platform.em(), id).executeTakeFirst()
  if (!shown) return
  const deadline = shown.resolution_deadline_at?.toISOString() ?? null
  await (await exchange()).patchCondition({ params: { id }, body: { ...shown, resolution_deadline_at: deadline } })
  await run.step(null, async (em) => {
    const now = await shownOf(em, id).forNoKeyUpdate().executeTakeFirst()
    if (JSON.stringify(now) === JSON.stringify(shown)) await settled(em, id, { mirrored: true })
  })
}

/** Ignores one refusal and throws everything else. */
const unless =
  (code: string) =>
  (error: unknown): null => {
    if (error instanceof RefusedError && error.code === code) return null
    throw error
  }

const OWN = (item = 'condition_id') =>
  `join event on event.id = event_id where event.creator = ? and registered_at is not null and ${isDue('settlement', item)}`
const MARKETS = `select condition_id from market left join settlement on market_condition_id = condition_id ${OWN()}`
/** Starts from unfinished rows, not from all markets that ever existed. */
const UNDONE = 'select condition_id from settlement join market on condition_id = market_condition_id'

// A price series confirms its own proposals, after checking the prices once more.
const ENDED = `${MARKETS} and not is_resolved and closed_at is null and end_time <= ? order by end_time, condition_id limit ?`
const DUE = `${MARKETS} and resolution_status = 'proposed' and not resolution_flagged and not resolution_paused
  and resolution_deadline_at <= ?
  and (select actor_kind from resolution_step where market_condition_id = condition_id and step = 'proposed' order by at desc, id desc limit 1) <> 'series'
  order by resolution_deadline_at, condition_id limit ?`
const UNPAID = `${UNDONE} ${OWN()} and is_resolved and paid_at is null order by end_time, condition_id limit ?`
const MOVED = `${UNDONE} ${OWN("condition_id || ' as moved'")} and moved_at is not null order by condition_id limit ?`
const UNMIRRORED = `${UNDONE} ${OWN("condition_id || ' as shown'")} and not mirrored order by condition_id limit ?`
