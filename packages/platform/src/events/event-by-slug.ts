import { Event } from '@augury/domain/platform/event.entity'
import type { Event as EventShape } from '@augury/wire/platform/event'
import { ServiceError } from '@augury/wire/service-error'
import type { Viewer } from '../identity/viewer.ts'
import type { Platform } from '../platform.ts'
import { toEventShape } from './event-view.ts'
import { trendingFloor } from './list-events.ts'

/** One event with all its texts. Refuses `event_not_found`, also for an event that has no market yet. */
export async function eventBySlug(platform: Platform, _viewer: Viewer, { slug }: { slug: string }): Promise<EventShape> {
  const [event, floor] = await Promise.all([
    platform
      .em()
      .findOne(
        Event,
        { slug, status: { $ne: 'draft' } },
        { populate: ['markets.outcomes', 'markets.rules', 'tags.tag', 'mainTag'], strategy: 'select-in' },
      ),
    trendingFloor(platform.em()),
  ])
  if (!event) throw new ServiceError('event_not_found')
  return toEventShape(event, floor)
}
