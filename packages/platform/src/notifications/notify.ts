import type { LINK_TYPES, NOTIFICATION_CATEGORIES } from '@augury/domain/platform/notification.entity'
import type { EntityManager } from '@mikro-orm/postgresql'

/** A notification to a member. */
export interface Told {
  /** Names what happened: a repeated source makes no second notification. */
  source: string
  category: (typeof NOTIFICATION_CATEGORIES)[number]
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
}

/** NOTIFY channel for new notifications; the payload is the id of the user. */
export const NOTIFICATION_CHANNEL = 'member_notification'

/** Notifies a member, in the caller's transaction, unless the member muted the category. */
export async function notify(em: EntityManager, userId: string, told: Told): Promise<void> {
  const { source, category, kind, title, description, metadata = {}, link, at } = told
  await em.execute(
    `with told as (
       insert into notification (user_id, source, category, title, description, metadata, link_type, link_target, created_at)
       select id, ?, ?, ?, ?, ?::jsonb, ?, ?, ?::timestamptz from users
       where id = ? and not coalesce(jsonb_exists(preferences->'chosen'->'muted', ?), false) on conflict (user_id, source) do nothing returning user_id)
     select pg_notify(?, user_id::text) from told`,
    [
      ...[source, category, title.slice(0, 200), description.slice(0, 1000), JSON.stringify({ kind, ...metadata })],
      ...[link?.type ?? 'none', link?.target ?? '', at, userId, category, NOTIFICATION_CHANNEL],
    ],
  )
}
