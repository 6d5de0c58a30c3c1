import { ServiceError } from '@augury/wire/service-error'
import type { Platform } from '../site/platform.ts'

/**
 * Slug of the event of a series that is running now; otherwise of the next one to begin, otherwise of the last. Throws `event_not_found`,
 * also for a series without events.
 */
export async function currentWindow(platform: Platform, { slug }: { slug: string }): Promise<string> {
  const now = platform.now()
  const [event]: { slug: string }[] = await platform.em().execute(NEAREST, [slug, now, slug, now, slug, now, slug, now, now, now])
  if (!event) throw new ServiceError('event_not_found')
  return event.slug
}

const SEEN = `select slug, end_date from event where series_slug = ? and status <> 'draft' and hidden_at is null`

/** Events that are not over come first, each side of now by nearness. Events that recur by the calendar have no start. */
export const NEAREST = `
  select slug from (
    (${SEEN} and start_date <= ? order by start_date desc limit 1)
    union all
    (${SEEN} and start_date > ? order by start_date limit 1)
    union all
    (${SEEN} and start_date is null and end_date > ? order by end_date limit 1)
    union all
    (${SEEN} and start_date is null and end_date <= ? order by end_date desc limit 1)
  ) event
  order by end_date <= ?, abs(extract(epoch from end_date - ?::timestamptz))
  limit 1`
