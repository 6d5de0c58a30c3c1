import { anyOf, tables } from '@augury/domain/platform/tables'
import { ServiceError } from '@augury/wire/service-error'
import type { Member, Viewer } from '../authorization/viewer.ts'
import type { Platform } from '../site/platform.ts'

/** Bookmarks an event; repeating it changes nothing. Throws `event_not_found`. */
export async function addBookmark(platform: Platform, member: Member, { body }: { body: { eventId: string } }): Promise<{ success: true }> {
  const db = tables(platform.em())
  const event = await db.selectFrom('event').select('id').where('id', '=', body.eventId).where('status', '<>', 'draft').executeTakeFirst()
  if (!event) throw new ServiceError('event_not_found')
  await db
    .insertInto('bookmark')
    .values({ user_id: member.id, event_id: event.id })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return { success: true }
}

/** Removes a bookmark, if there is one. */
export async function removeBookmark(
  platform: Platform,
  member: Member,
  { params }: { params: { eventId: string } },
): Promise<{ success: true }> {
  await tables(platform.em()).deleteFrom('bookmark').where('user_id', '=', member.id).where('event_id', '=', params.eventId).execute()
  return { success: true }
}

/** Which of some events the viewer has bookmarked; none, without a query, for an anonymous viewer. */
export async function bookmarkedAmong(platform: Platform, viewer: Viewer, eventIds: readonly string[]): Promise<ReadonlySet<string>> {
  if (viewer.kind === 'anonymous' || eventIds.length === 0) return new Set()
  const rows = await tables(platform.em())
    .selectFrom('bookmark')
    .select('event_id')
    .where('user_id', '=', viewer.id)
    .where('event_id', '=', anyOf(eventIds))
    .execute()
  return new Set(rows.map(({ event_id }) => event_id))
}
