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
    const rows: { id: string }[] = await platform.em().execute(WATCHERS, [event_id, event_id, after, source, SET])
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
  const [rest] = await platform
    .em()
    .execute('select from market where event_id = ? and (not is_resolved or weight > 0) limit 1', [event_id])
  return rest === undefined
}

const WATCHERS = `
  select users.id from users
  where id in (select user_id from bookmark where event_id = ? union select user_id from comment where event_id = ? and deleted_at is null)
    and id > coalesce(?::uuid, '00000000-0000-0000-0000-000000000000')
    and not exists (select from notification where user_id = users.id and source = ?)
  order by id limit ?`
