import type { LINK_TYPES, NOTIFICATION_CATEGORIES } from '@augury/domain/platform/notification.entity'
import type { EntityManager } from '@mikro-orm/postgresql'

/** A notification to a member. */
export interface Told {
  /** Names what happened: a repeated source makes no second notification. */
  source: string
  category: (typeof NOTIFICATION_CATEGORIES)[number]
  /** What members mute it by, where that is narrower than its category. */
  topic?: 'result' | 'answer'
  /** Kind of message, stored in the metadata with its figures, for wording it in another language. */
  kind: string
  /** In English. */
  title: string
  description: string
  /** For programs. Never a secret. */
  metadata?: Record<string, unknown>
  /** Link of the notification; `target` is a slug or an id. */
  link?: { type: Exclude<(typeof LINK_TYPES)[number], 'none'>; target: string }
  /** When it happened. */
  at: Date
  /** Whether it counts as read from the start: what the member has just done and seen the outcome of. */
  read?: boolean
}

/** NOTIFY channel for new notifications; the payload is the id of the user. */
export const NOTIFICATION_CHANNEL = 'member_notification'

/** Notifies a member, in the caller's transaction, unless the member muted its topic. */
export async function notify(em: EntityManager, userId: string, told: Told): Promise<void> {
  await notifyAll(em, [[userId, told]])
}

/** The same for many members in one statement. Returns how many were notified now: neither muted, nor notified of it before. */
export async function notifyAll(em: EntityManager, all: readonly (readonly [userId: string, told: Told])[]): Promise<number> {
  if (all.length === 0) return 0
  const rows = all.map(([user_id, { source, category, topic, kind, title, description, metadata = {}, link, at, read }]) => ({
    user_id,
    source,
    category,
    topic: topic ?? category,
    read_at: read ? at : null,
    metadata: { kind, ...metadata },
    created_at: at,
    title: cut(title, 200),
    description: cut(description, 1000),
    link_type: link?.type ?? 'none',
    link_target: link?.target ?? '',
  }))
  const told: unknown[] = await em.execute(NOTIFY, [JSON.stringify(rows), NOTIFICATION_CHANNEL])
  return told.length
}

/** Half a character at the end would be refused by the database, and with it the notifications of everybody else. */
const cut = (text: string, most: number): string => text.slice(0, most).toWellFormed()

const NOTIFY = `
  with told as (
    insert into notification (user_id, source, category, title, description, metadata, link_type, link_target, created_at, read_at)
    select user_id, source, category, title, description, metadata, link_type, link_target, given.created_at, read_at
    from jsonb_to_recordset(?::jsonb) as given (user_id uuid, source text, category text, topic text, title text, description text,
      metadata jsonb, link_type text, link_target text, created_at timestamptz, read_at timestamptz)
    join users on users.id = given.user_id and not coalesce(jsonb_exists(preferences->'chosen'->'muted', topic), false)
    on conflict (user_id, source) do nothing returning user_id
  )
  select pg_notify(?, user_id::text) from told`
