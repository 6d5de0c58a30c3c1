import { tables } from '@augury/domain/platform/tables'
import type { Run } from '../jobs/run-job.ts'
import type { Platform } from '../site/platform.ts'
import { type HoldersExchange, notifyMembers } from './notify-members.ts'

/**
 * Notifies members that trading in a market ends at another time: those who hold shares, and those who follow its event. Once for all
 * markets of an event that were moved together.
 */
export async function notifyOfMove(platform: Platform, run: Run, exchange: HoldersExchange, conditionId: string): Promise<void> {
  const moved = await tables(platform.em())
    .selectFrom('settlement')
    .innerJoin('market', 'condition_id', 'market_condition_id')
    .innerJoin('event', 'event.id', 'event_id')
    .select(['moved_at', 'event_id', 'event.slug', 'event.title', 'end_time'])
    .select((eb) =>
      eb
        .selectFrom('resolution_step')
        .select('note')
        .whereRef('resolution_step.market_condition_id', '=', 'condition_id')
        .where('step', '=', 'rescheduled')
        .orderBy('at', 'desc')
        .limit(1)
        .as('reason'),
    )
    .where('condition_id', '=', conditionId)
    .executeTakeFirst()
  if (!moved?.moved_at) return
  const { moved_at, event_id, slug, title, end_time, reason } = moved
  const message = {
    category: 'general',
    kind: 'moved',
    title: 'New end of trading',
    description: `${title}: trading ends on ${end_time.toISOString().replace('T', ' ').slice(0, 16)} UTC. ${reason}`,
    metadata: { event: title, end_time: end_time.toISOString(), reason },
    link: { type: 'event', target: slug },
  } as const
  const source = `moved:${event_id}:${moved_at.getTime()}`
  const news = { source, conditionId, eventId: event_id, toHolder: () => message, toWatcher: message }
  if (!(await notifyMembers(platform, run, exchange, news))) return
  await run.step(null, async (em) => {
    await tables(em)
      .updateTable('settlement')
      .set({ moved_at: null })
      .where('market_condition_id', '=', conditionId)
      .where('moved_at', '=', moved_at)
      .execute()
  })
}
