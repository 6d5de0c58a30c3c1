import type { DraftContent } from '@augury/wire/platform/draft'
import { PLACE } from '@augury/wire/platform/occurrence'
import { slugOf } from '@augury/wire/platform/slug'
import { ServiceError } from '@augury/wire/service-error'
import type { EntityManager } from '@mikro-orm/postgresql'
import { writeDown } from '../admin/deeds.ts'
import type { Admin } from '../identity/viewer.ts'

type Recurrence = NonNullable<DraftContent['recurrence']>

/** The end after this one. A month keeps its day where the next has it, else takes its last. */
export function nextEnd(end: Date, recurrence: Recurrence): Date {
  const next = new Date(end)
  if (recurrence !== 'monthly') next.setUTCDate(next.getUTCDate() + (recurrence === 'daily' ? 1 : 7))
  else {
    const day = next.getUTCDate()
    next.setUTCMonth(next.getUTCMonth() + 1, 1)
    next.setUTCDate(Math.min(day, new Date(Date.UTC(next.getUTCFullYear(), next.getUTCMonth() + 1, 0)).getUTCDate()))
  }
  return next
}

/** The name of the events of a draft that come again: its address without their dates. */
export const seriesSlugOf = ({ slug }: DraftContent): string => slugOf(slug.replaceAll(PLACE, ''))

/** Lets the event of a draft come again after the first, which is the draft's own. Refuses `slug_taken`. */
export async function startSeries(em: EntityManager, admin: Admin, content: DraftContent, now: Date): Promise<void> {
  const { recurrence, end_date } = content
  if (recurrence === null || end_date === null) return
  const slug = seriesSlugOf(content)
  const next = nextEnd(new Date(end_date), recurrence)
  const made = await em.execute(
    `insert into event_series (slug, content, recurrence, next_end, enabled, actor_id, created_at, updated_at)
     values (?, ?::jsonb, ?, ?, true, ?, ?, ?) on conflict do nothing returning slug`,
    [slug, JSON.stringify(content), recurrence, next, admin.id, now, now],
  )
  if (made.length === 0) throw new ServiceError('slug_taken')
  await writeDown(
    em,
    admin,
    { action: 'series_changed', target: slug, after: { enabled: true, recurrence, next_end: next.toISOString() } },
    now,
  )
}
