import { formatUsdc } from '@augury/units/decimal'
import { usdc } from '@augury/units/usdc'
import { ServiceError } from '@augury/wire/service-error'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Member } from '../authorization/viewer.ts'
import { hashOf } from '../crypto/token.ts'

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
  const [row]: { used: string }[] = await em.execute(
    `select coalesce(sum(amount), 0)::bigint as used from withdrawal
     where user_id = ? and status not in ('returned', 'refused', 'cancelled')
       and (status in ('requested', 'approved') or coalesce(held_until, created_at) > ?)
       and id is distinct from ?::uuid`,
    [id, new Date(now.getTime() - DAY), ref ?? null],
  )
  const left = Math.max(0, DAILY - Number(row!.used))
  if (amount > left)
    throw new ServiceError('withdrawal_limit', { details: { limit: formatUsdc(DAILY), available: formatUsdc(usdc(left)) } })
}

/**
 * Until when a withdrawal waits so that the true owner hears of it first: a day, unless this device has been the member's for one. Members
 * who joined within the day have no older device that could be notified.
 */
export async function heldUntil(em: EntityManager, { id, visit }: Member, now: Date): Promise<Date | null> {
  const dayAgo = new Date(now.getTime() - DAY)
  const known = await em.execute(
    `select from users where id = ? and created_at > ?
     union all select from trading_context where user_id = ? and context_hash = ? and created_at <= ?`,
    [id, dayAgo, id, hashOf(visit.device ?? ''), dayAgo],
  )
  return known.length > 0 ? null : new Date(now.getTime() + DAY)
}
