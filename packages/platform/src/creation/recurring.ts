import type { Output } from '@augury/wire/operation'
import type { adminCreationOperations } from '@augury/wire/platform/admin-creation'
import { draftContent } from '@augury/wire/platform/draft'
import { occurrence } from '@augury/wire/platform/occurrence'
import { ServiceError } from '@augury/wire/service-error'
import type { Hex } from 'viem'
import { doAsAdmin } from '../admin/deeds.ts'
import { type RegisterCondition, registerMarkets } from '../catalogue/register-markets.ts'
import type { Admin } from '../identity/viewer.ts'
import type { Platform } from '../platform.ts'
import type { Site } from '../site.ts'
import type { Job } from '../sync/run-job.ts'
import { checkTexts, isReady } from './check-draft.ts'
import { nextEnd } from './event-series.ts'
import { finishDraft, storeDraft } from './publish-draft.ts'

type Operations = typeof adminCreationOperations
type Series = Output<Operations['adminPutSeries']>['data']

const view = (row: Series): Series => ({
  ...row,
  content: draftContent.parse(row.content),
  next_end: new Date(row.next_end).toISOString(),
  updated_at: new Date(row.updated_at).toISOString(),
})

/** Events that come again and again. */
export async function listSeries(platform: Platform): Promise<Output<Operations['adminSeries']>> {
  const rows: Series[] = await platform
    .em()
    .execute('select slug, content, recurrence, next_end, enabled, updated_at from event_series order by slug limit 500')
  return { data: rows.map(view), totalCount: rows.length }
}

/** Lets an event come again, or stops it. Refuses `draft_unready`, also where two of its events would have one slug. */
export async function putSeries(
  site: Site,
  admin: Admin,
  { params: { slug }, body }: { params: { slug: string }; body: Pick<Series, 'content' | 'recurrence' | 'next_end' | 'enabled'> },
): Promise<Output<Operations['adminPutSeries']>> {
  const next = new Date(body.next_end)
  const checks = checkTexts({ ...body.content, recurrence: body.recurrence, end_date: body.next_end }, site.now())
  if (body.enabled && !isReady(checks)) throw new ServiceError('draft_unready', { details: { checks } })
  return doAsAdmin(site, admin, async (em, now) => {
    const [row]: Series[] = await em.execute(
      `insert into event_series (slug, content, recurrence, next_end, enabled, actor_id, created_at, updated_at) values (?, ?::jsonb, ?, ?, ?, ?, ?, ?)
       on conflict (slug) do update set content = excluded.content, recurrence = excluded.recurrence, next_end = excluded.next_end,
         enabled = excluded.enabled, actor_id = excluded.actor_id, updated_at = excluded.updated_at
       returning slug, content, recurrence, next_end, enabled, updated_at`,
      [slug, JSON.stringify(body.content), body.recurrence, next, body.enabled, admin.id, now, now],
    )
    const { enabled, recurrence, next_end } = body
    return {
      answer: { success: true, data: view(row!) },
      deed: { action: 'series_changed', target: slug, after: { enabled, recurrence, next_end } },
    }
  })
}

/**
 * Makes the next event of every series a recurrence before it ends, and goes on with drafts whose publishing stopped. The event and the
 * date of the one after are stored together: killed anywhere, no event is left out and none is made twice.
 */
export const publishingJob = (
  operator: () => Promise<{
    exchange: { registerCondition(input: { body: Parameters<RegisterCondition>[0] }): ReturnType<RegisterCondition> }
  }>,
  own: Hex,
): Job => ({
  name: 'publishing',
  async work(platform, run) {
    const creator = own.toLowerCase() as Hex
    const register: RegisterCondition = async (body) => (await operator()).exchange.registerCondition({ body })
    const drafts: { id: string }[] = await platform
      .em()
      .execute(`select id from event_draft where state = 'publishing' order by updated_at limit 100`)
    for (const { id } of drafts) {
      if (!run.hasTime()) return
      await finishDraft(platform, creator, id, register).then(
        () => run.count('published', 1),
        (error) => run.fail(`draft ${id}`, error),
      )
    }
    const due: Series[] = await platform.em().execute('select * from event_series where enabled order by next_end limit 500')
    for (const series of due) {
      if (!run.hasTime()) return
      await makeDue(platform, creator, series, register).then(
        (made) => run.count('made', made),
        (error) => run.fail(`series ${series.slug}`, error),
      )
    }
  },
})

/** Makes the events of a series that are due, and registers them. One that has passed meanwhile is left out. */
async function makeDue(
  platform: Platform,
  creator: Hex,
  { slug, recurrence, content }: Series,
  register: RegisterCondition,
): Promise<number> {
  let made = 0
  for (let more = true; more; ) {
    more = await platform.em().transactional(async (em) => {
      const [row]: { next_end: string }[] = await em.execute('select next_end from event_series where slug = ? and enabled for update', [
        slug,
      ])
      if (!row) return false
      const end = new Date(row.next_end)
      const now = platform.now()
      const after = nextEnd(end, recurrence)
      // The one that ends first begins at once; each other when the one before it ends.
      const begins = end.getTime() - (after.getTime() - end.getTime())
      if (begins > now.getTime()) return false
      if (end > now) {
        await storeDraft(em, creator, occurrence(draftContent.parse(content), end), slug, now)
        made++
      }
      await em.execute('update event_series set next_end = ?, updated_at = ? where slug = ?', [after, now, slug])
      return true
    })
  }
  const waiting: { slug: string }[] = await platform
    .em()
    .execute(
      'select distinct event.slug from event join market on event_id = event.id where series_slug = ? and registered_at is null and creator = ?',
      [slug, creator],
    )
  for (const event of waiting) await registerMarkets(platform, creator, register, () => {}, event.slug)
  return made
}
