import { tables } from '@augury/domain/platform/tables'
import { type SqlBool, sql } from 'kysely'
import type { Platform } from '../site/platform.ts'

/**
 * A change of an event's texts. `actor` is the address of the admin who made it, null when the account is gone; `at` in Unix milliseconds.
 */
export interface EventChange {
  at: number
  actor: string | null
  field: 'title' | 'rules'
  before: string
  after: string
}

/** Number of changes that an event's page shows. */
const CHANGES = 50

/** Changes of an event's title and rules, newest first, from the append-only audit log. */
export async function eventChanges(platform: Platform, { slug }: { slug: string }): Promise<EventChange[]> {
  const rows = await tables(platform.em())
    .selectFrom('audit_log')
    .leftJoin('users', 'users.id', 'audit_log.actor_id')
    .select(['at', 'address', sql<Texts>`details->'before'`.as('before'), sql<Texts>`details->'after'`.as('after')])
    .where('action', '=', 'event_changed')
    .where((eb) =>
      eb(sql<string>`details->>'target'`, '=', eb.selectFrom('event').select(sql<string>`id::text`.as('id')).where('slug', '=', slug)),
    )
    .where(sql<SqlBool>`(jsonb_exists(details->'after', 'rules') or jsonb_exists(details->'after', 'title'))`)
    .orderBy('position', 'desc')
    .limit(CHANGES)
    .execute()
  return rows.flatMap(({ at, address, before, after }) =>
    (['title', 'rules'] as const).flatMap((field) => {
      const text = after[field]
      if (typeof text !== 'string') return []
      return [{ at: at.getTime(), actor: address, field, before: String(before[field] ?? ''), after: text }]
    }),
  )
}

type Texts = Partial<Record<string, unknown>>
