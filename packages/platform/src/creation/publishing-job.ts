import { tables } from '@augury/domain/platform/tables'
import { draftContent } from '@augury/wire/platform/draft'
import { occurrence } from '@augury/wire/platform/occurrence'
import type { Hex } from 'viem'
import { type RegisterCondition, registering } from '../catalogue/register-condition.ts'
import { registerMarkets } from '../catalogue/register-markets.ts'
import type { Job } from '../jobs/run-job.ts'
import type { Platform } from '../site/platform.ts'
import { nextEnd } from './event-series.ts'
import { finishDraft, storeDraft } from './publish-draft.ts'

/**
 * Creates the next occurrence of every recurring event one period before it ends, and continues drafts whose publishing stopped. An
 * occurrence and the date of the one after it are stored together, so that a crash neither skips nor repeats one.
 */
export const publishingJob = (operator: Parameters<typeof registering>[0], own: Hex): Job => ({
  name: 'publishing',
  async work(platform, run) {
    const creator = own.toLowerCase() as Hex
    const register = registering(operator)
    const tried: string[] = []
    const attempt = async <Made>(item: string, make: Promise<Made>, done: (made: Made) => void) => {
      tried.push(item)
      await make.then(done, (error) => run.fail(item, error))
    }
    const drafts = await tables(platform.em())
      .selectFrom('event_draft')
      .select('id')
      .where('state', '=', 'publishing')
      .orderBy('updated_at')
      .limit(100)
      .execute()
    for (const { id } of drafts) {
      if (!run.hasTime()) break
      await attempt(`draft ${id}`, finishDraft(platform, creator, id, register), () => run.count('published', 1))
    }
    const due: { slug: string }[] = await platform.em().execute(DUE, [platform.now(), creator])
    run.count('made', 0)
    for (const { slug } of due) {
      if (!run.hasTime()) break
      await attempt(`series ${slug}`, makeDue(platform, creator, slug, register), (made) => run.count('made', made))
    }
    if (tried.length > 0) await run.step(null, async () => {}, tried)
  },
})

/** Creates and registers the occurrences that are due. One whose end has passed meanwhile is skipped. */
async function makeDue(platform: Platform, creator: Hex, slug: string, register: RegisterCondition): Promise<number> {
  let made = 0
  for (let more = true; more; ) {
    more = await platform.em().transactional(async (em) => {
      const row = await tables(em)
        .selectFrom('event_series')
        .select(['content', 'recurrence', 'next_end'])
        .where('slug', '=', slug)
        .where('enabled', '=', true)
        .forUpdate()
        .executeTakeFirst()
      if (!row) return false
      const draft = draftContent.parse(row.content)
      const end = row.next_end
      const now = platform.now()
      const after = nextEnd(end, row.recurrence, draft.end_date === null ? end : new Date(draft.end_date))
      // The earliest occurrence begins at once; every other one when the one before it ends.
      const begins = end.getTime() - (after.getTime() - end.getTime())
      if (begins > now.getTime()) return false
      if (end > now) {
        await storeDraft(em, creator, occurrence(draft, end), slug, now)
        made++
      }
      await tables(em).updateTable('event_series').set({ next_end: after, updated_at: now }).where('slug', '=', slug).execute()
      return true
    })
  }
  const waiting = await tables(platform.em())
    .selectFrom('event')
    .innerJoin('market', 'market.event_id', 'event.id')
    .select('event.slug')
    .distinct()
    .where('series_slug', '=', slug)
    .where('registered_at', 'is', null)
    .where('creator', '=', creator)
    .execute()
  for (const event of waiting) await registerMarkets(platform, creator, register, () => {}, event.slug)
  return made
}

/**
 * Series that have something to do: a next occurrence to make, of a monthly one perhaps days later, or markets to register. In hours, as a day of the
 * database's time zone may have 23.
 */
const DUE = `
  select slug from event_series
  where enabled and (
    next_end <= ?::timestamptz + case recurrence when 'daily' then interval '24 hours' when 'weekly' then interval '168 hours' else interval '744 hours' end
    or slug in (select series_slug from event join market on event_id = event.id where registered_at is null and not is_resolved and creator = ?)
  )
  order by next_end limit 500`
