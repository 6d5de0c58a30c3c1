import type { Viewer } from '@augury/platform/authorization/viewer'
import { addBookmark, removeBookmark } from '@augury/platform/events/manage-bookmarks'
import { ServiceError } from '@augury/wire/service-error'
import type { Cookies, RequestEvent } from '@sveltejs/kit'
import { isEventId, readSaved, SAVED_COOKIE, withSaved, writeSaved } from '#lib/lists/saved.ts'
import { keepChoice } from './choices.ts'

/** A visitor's saved events on this device; null for a member, whose bookmarks the platform stores. */
export const savedHere = (cookies: Cookies, viewer: Viewer): string[] | null =>
  viewer.kind === 'member' ? null : readSaved(cookies.get(SAVED_COOKIE))

/** Saves or removes an event, for the member or on this device. Unknown events are ignored. */
export async function keepSaved(event: RequestEvent, eventId: string, saved: boolean): Promise<void> {
  const { platform, viewer } = event.locals
  if (viewer.kind !== 'member') {
    const ids = withSaved(readSaved(event.cookies.get(SAVED_COOKIE)), eventId, saved)
    return keepChoice(event, SAVED_COOKIE, writeSaved(ids))
  }
  if (!isEventId(eventId)) return
  if (saved) await addIfThere(platform, viewer, eventId)
  else await removeBookmark(platform, viewer, { params: { eventId } })
}

/** Moves the saved events of this device to the member who has signed in, once. */
export async function mergeSaved(event: Pick<RequestEvent, 'cookies' | 'locals'>): Promise<void> {
  const { platform, viewer } = event.locals
  const ids = readSaved(event.cookies.get(SAVED_COOKIE))
  if (viewer.kind !== 'member' || ids.length === 0) return
  for (const id of ids.toReversed()) await addIfThere(platform, viewer, id)
  event.cookies.delete(SAVED_COOKIE, { path: '/' })
}

async function addIfThere(platform: App.Locals['platform'], member: Extract<Viewer, { kind: 'member' }>, eventId: string): Promise<void> {
  try {
    await addBookmark(platform, member, { body: { eventId } })
  } catch (error) {
    if (!(error instanceof ServiceError && error.code === 'event_not_found')) throw error
  }
}
