import { RefusedError } from '@augury/client/answer'
import { anyOf, tables } from '@augury/domain/platform/tables'
import type { Input } from '@augury/wire/operation'
import type { adminEventOperations } from '@augury/wire/platform/admin-events'
import { ServiceError } from '@augury/wire/service-error'
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { askExchange, askExchangeForEach } from '../authorization/ask-exchange.ts'
import { type AuditRecord, runAsAdmin } from '../authorization/run-as-admin.ts'
import type { Admin } from '../authorization/viewer.ts'
import { refreshEventTotals } from '../events/event-totals.ts'
import { lockEvent } from '../events/lock-markets.ts'
import type { Site } from '../site/site.ts'
import { stillHere } from './change-event.ts'

type Paused = Pick<Input<(typeof adminEventOperations)['adminPauseEvent']>, 'params' | 'body'>

/**
 * Stops trading in an event or some of its markets, or lets it go on: here and on the exchange, where orders stay. Again is as good as once.
 * A market whose time is over is not let go on, and one that the exchange has closed for good keeps no other from it. Throws
 * `event_not_found`, `market_not_found`, `condition_not_owned`, and `event_paused` where markets of a paused event should go on.
 */
export function pauseEvent(site: Site, admin: Admin, { params: { id }, body }: Paused, paused: boolean): Promise<{ success: true }> {
  return runAsAdmin(site, admin, async (em, now) => {
    await lockEvent(em, id)
    const event = await tables(em).selectFrom('event').select(['creator', 'paused_at']).where('id', '=', id).executeTakeFirst()
    if (!event) throw new ServiceError('event_not_found')
    if (event.creator !== site.exchange.operatorAddress.toLowerCase()) throw new ServiceError('condition_not_owned')
    const named = body.condition_ids?.map((condition) => condition.toLowerCase())
    if (named) await requireMarkets(em, id, named)
    if (named && !paused && event.paused_at) throw new ServiceError('event_paused')
    const changed = await changeMarkets(site, em, id, { named, paused, now })
    const record = named ? ofMarkets(id, paused, changed) : await ofEvent(em, id, paused, now)
    await refreshEventTotals(em, [id])
    return { answer: { success: true }, record }
  })
}

const actionOf = (paused: boolean) => (paused ? 'event_paused' : 'event_resumed')

const ofMarkets = (id: string, paused: boolean, markets: readonly string[]): AuditRecord | null =>
  markets.length === 0 ? null : { action: actionOf(paused), target: id, after: { markets } }

async function ofEvent(em: EntityManager, id: string, paused: boolean, now: Date): Promise<AuditRecord | null> {
  const changed = await tables(em)
    .updateTable('event')
    .set({ paused_at: paused ? now : null })
    .where('id', '=', id)
    .where('paused_at', paused ? 'is' : 'is not', null)
    .returning('id')
    .execute()
  return changed.length === 0 ? null : { action: actionOf(paused), target: id }
}

async function requireMarkets(em: EntityManager, id: string, named: readonly string[]): Promise<void> {
  const known = await tables(em)
    .selectFrom('market')
    .select('condition_id')
    .where('event_id', '=', id)
    .where('condition_id', '=', anyOf(named))
    .execute()
  if (known.length < new Set(named).size) throw new ServiceError('market_not_found')
}

/** Changes the mode of markets there and here. Returns those that were another way here. */
async function changeMarkets(
  site: Site,
  em: EntityManager,
  id: string,
  { named, paused, now }: { named: string[] | undefined; paused: boolean; now: Date },
): Promise<string[]> {
  const markets = await tables(em)
    .selectFrom('market')
    .innerJoin('event', 'event.id', 'market.event_id')
    .select('condition_id')
    .where('event_id', '=', id)
    .where('registered_at', 'is not', null)
    .where('is_resolved', '=', false)
    .$if(named !== undefined, (query) => query.where('condition_id', '=', anyOf(named!)))
    .$if(named === undefined, (query) => query.where((eb) => eb.or([eb('is_active', '=', true), eb('paused_at', 'is not', null)])))
    .$if(!paused, (query) => query.where('end_time', '>', now))
    .orderBy('position')
    .execute()
  const { exchange } = await askExchange(site.exchange.operator())
  const mode = paused ? 'paused' : 'open'
  const changedThere: string[] = []
  const change = async ({ condition_id }: { condition_id: string }) => {
    const isClosed = await exchange.patchCondition({ params: { id: condition_id }, body: { mode } }).then(() => false, isClosedForGood)
    if (!isClosed) changedThere.push(condition_id)
  }
  await askExchangeForEach(markets, change, () => stillHere(em))
  const changed = await tables(em)
    .updateTable('market')
    .set({ is_active: !paused, updated_at: sql`now()` })
    .where('condition_id', '=', anyOf(changedThere))
    .where('end_time', '>', now)
    .where('is_active', '=', paused)
    .returning('condition_id')
    .execute()
  return changed.map(({ condition_id }) => condition_id)
}

/** Whether the exchange refuses for that reason. Throws everything else. */
function isClosedForGood(error: unknown): true {
  if (error instanceof RefusedError && error.code === 'condition_not_open') return true
  throw error
}
