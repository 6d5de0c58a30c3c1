import { tables } from '@augury/domain/platform/tables'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Run } from '../jobs/run-job.ts'
import { notifyAll } from '../notifications/notify.ts'
import type { Platform } from '../site/platform.ts'
import { type Facts, resultOf } from './notify-holders.ts'

/** Members notified per step. */
const SET = 500

/**
 * Notifies members who saved a market's event, or whose comments are on it, of its result: once each, and not those who were notified as
 * holders of its shares. Of an event with several markets, the result is one that pays Yes, or the last to be decided when none does. False
 * while members are left.
 */
export async function notifyWatchers(
  platform: Platform,
  run: Run,
  facts: Facts,
  { conditionId, source }: { conditionId: string; source: string },
): Promise<boolean> {
  if (!(await isResultOfEvent(platform, facts))) return true
  const { title, slug, event_id, event_slug, weight, yes, no } = facts
  const told = {
    source,
    category: 'general',
    topic: 'result',
    kind: 'decided',
    title: 'Market resolved',
    description: `${title}: ${resultOf(facts)}.`,
    metadata: { condition_id: conditionId, market: slug, title, weight, outcomes: [yes, no] },
    link: { type: 'event', target: event_slug },
  } as const
  for (let after: string | null = null; ; ) {
    if (after !== null && !run.hasTime()) return false
    const rows = await watchersAfter(platform.em(), event_id, after, source)
    if (rows.length > 0) {
      const at = platform.now()
      await run.step(null, async (em) => {
        run.count(
          'told',
          await notifyAll(
            em,
            rows.map(({ id }) => [id, { ...told, at }] as const),
          ),
        )
      })
    }
    if (rows.length < SET) return true
    after = rows.at(-1)!.id
  }
}

async function isResultOfEvent(platform: Platform, { event_id, weight }: Facts): Promise<boolean> {
  if (weight > 0) return true
  const rest = await tables(platform.em())
    .selectFrom('market')
    .select('condition_id')
    .where('event_id', '=', event_id)
    .where((eb) => eb.or([eb('is_resolved', '=', false), eb('weight', '>', 0)]))
    .limit(1)
    .executeTakeFirst()
  return rest === undefined
}

const watchersAfter = (em: EntityManager, event: string, after: string | null, source: string) => {
  const db = tables(em)
  return db
    .selectFrom('users')
    .select('users.id')
    .where(
      'id',
      'in',
      db
        .selectFrom('bookmark')
        .select('user_id')
        .where('event_id', '=', event)
        .union(db.selectFrom('comment').select('user_id').where('event_id', '=', event).where('deleted_at', 'is', null)),
    )
    .$if(after !== null, (query) => query.where('id', '>', after))
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('notification').whereRef('user_id', '=', 'users.id').where('source', '=', source))),
    )
    .orderBy('id')
    .limit(SET)
    .execute()
}
