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

interface Row {
  at: string | Date
  address: string | null
  before: Partial<Record<string, unknown>>
  after: Partial<Record<string, unknown>>
}

/** Changes of an event's title and rules, newest first, from the append-only audit log. */
export async function eventChanges(platform: Platform, { slug }: { slug: string }): Promise<EventChange[]> {
  const rows: Row[] = await platform.em().execute(CHANGED, [slug, CHANGES])
  return rows.flatMap(({ at, address, before, after }) =>
    (['title', 'rules'] as const).flatMap((field) => {
      const text = after[field]
      if (typeof text !== 'string') return []
      return [{ at: new Date(at).getTime(), actor: address, field, before: String(before[field] ?? ''), after: text }]
    }),
  )
}

const CHANGED = `
  select at, address, details->'before' as before, details->'after' as after
  from audit_log left join users on users.id = actor_id
  where details->>'target' = (select id::text from event where slug = ?) and action = 'event_changed'
    and (jsonb_exists(details->'after', 'rules') or jsonb_exists(details->'after', 'title'))
  order by position desc limit ?`
