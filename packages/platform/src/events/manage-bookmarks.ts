import { ServiceError } from '@augury/wire/service-error'
import type { Member, Viewer } from '../authorization/viewer.ts'
import type { Platform } from '../site/platform.ts'

/** Bookmarks an event; repeating it changes nothing. Throws `event_not_found`. */
export async function addBookmark(platform: Platform, member: Member, { body }: { body: { eventId: string } }): Promise<{ success: true }> {
  const [event] = await platform.em().execute(
    `with event as (select id from event where id = ? and status <> 'draft'), added as (
       insert into bookmark (user_id, event_id) select ?, id from event on conflict do nothing)
     select id from event`,
    [body.eventId, member.id],
  )
  if (!event) throw new ServiceError('event_not_found')
  return { success: true }
}

/** Removes a bookmark, if there is one. */
export async function removeBookmark(
  platform: Platform,
  member: Member,
  { params }: { params: { eventId: string } },
): Promise<{ success: true }> {
  await platform.em().execute('delete from bookmark where user_id = ? and event_id = ?', [member.id, params.eventId])
  return { success: true }
}

/** Which of some events the viewer has bookmarked; none, without a query, for an anonymous viewer. */
export async function bookmarkedAmong(platform: Platform, viewer: Viewer, eventIds: readonly string[]): Promise<ReadonlySet<string>> {
  if (viewer.kind === 'anonymous' || eventIds.length === 0) return new Set()
  const rows: { event_id: string }[] = await platform
    .em()
    .execute(
      'select event_id from bookmark where user_id = ? and event_id in (select value::uuid from jsonb_array_elements_text(?::jsonb))',
      [viewer.id, JSON.stringify(eventIds)],
    )
  return new Set(rows.map(({ event_id }) => event_id))
}
