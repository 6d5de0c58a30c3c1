import { tables } from '@augury/domain/platform/tables'
import { formatUsdc } from '@augury/units/decimal'
import { usdc } from '@augury/units/usdc'
import { ServiceError } from '@augury/wire/service-error'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Member } from '../authorization/viewer.ts'
import { hashOf } from '../crypto/token.ts'
import type { SiteSettings } from '../site/site.ts'

const DAY = 86_400_000
/** Most millionths that a member may withdraw in any 24 hours. */
export const DAILY = usdc(100_000_000_000)

/** A requested withdrawal; `id` where the request names itself. */
export interface Asked {
  id: string | undefined
  amount: number
  destination: string
}

/**
 * Throws `withdrawal_limit` when an amount exceeds what is left of the daily limit. A waiting withdrawal counts from its request until a
 * day after it may go, and a delayed one until a day after it went; otherwise two days' money could leave at once. The
 * one asked for is not counted, as an equal request may just have stored it. Only while the member's row is locked is it sure to hold.
 */
export async function requireWithinLimit(em: EntityManager, { id }: Member, { id: ref, amount }: Asked, now: Date): Promise<void> {
  const row = await tables(em)
    .selectFrom('withdrawal')
    .select((eb) => eb.fn.sum('amount').as('used'))
    .where('user_id', '=', id)
    .where('status', 'not in', ['returned', 'refused', 'cancelled'])
    .where((eb) =>
      eb.or([
        eb('status', 'in', ['requested', 'approved']),
        eb(eb.fn.coalesce('held_until', 'created_at'), '>', new Date(now.getTime() - DAY)),
      ]),
    )
    .$if(ref !== undefined, (query) => query.where('id', '<>', ref!))
    .executeTakeFirstOrThrow()
  const left = Math.max(0, DAILY - Number(row.used ?? 0))
  if (amount > left)
    throw new ServiceError('withdrawal_limit', { details: { limit: formatUsdc(DAILY), available: formatUsdc(usdc(left)) } })
}

/** Whether an amount is so large that two admins must approve its withdrawal. */
export const needsAdmins = ({ withdrawTwoAdminsAbove: above = 0 }: Pick<SiteSettings, 'withdrawTwoAdminsAbove'>, amount: number): boolean =>
  above > 0 && amount > above

/**
 * Until when a withdrawal waits so that the true owner hears of it first: a day, unless this device has been the member's for one. Members
 * who joined within the day have no older device that could be notified.
 */
export async function heldUntil(em: EntityManager, { id, visit }: Member, now: Date): Promise<Date | null> {
  const dayAgo = new Date(now.getTime() - DAY)
  const db = tables(em)
  const known = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', id)
    .where('created_at', '>', dayAgo)
    .unionAll(
      db
        .selectFrom('trading_context')
        .select('user_id as id')
        .where('user_id', '=', id)
        .where('context_hash', '=', hashOf(visit.device ?? ''))
        .where('created_at', '<=', dayAgo),
    )
    .execute()
  return known.length > 0 ? null : new Date(now.getTime() + DAY)
}
