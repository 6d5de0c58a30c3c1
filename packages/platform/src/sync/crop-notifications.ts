import type { Run } from '../jobs/run-job.ts'
import type { Platform } from '../site/platform.ts'

/**
 * Most notifications kept per member, so that those who cause notifications to others fill neither a list nor the disk. As many again about
 * the account itself, which others cannot push out by joining by a member's link or trading with them.
 */
const MOST = 1000
/** New notifications read per step, and old ones deleted per step. */
const PAGE = 5000
const BATCH = 2000

const FIRST = '00000000-0000-0000-0000-000000000000'

interface Page {
  read: number
  last: string
  kept: string
  members: string[]
}

/**
 * Deletes the oldest notifications of members who have too many. Only who was notified since the last run can have: ids sort by the time at
 * which they were written, and the cursor is the id up to which they were read. It stays some minutes back, for transactions that were
 * still open then.
 */
export async function cropNotifications(platform: Platform, run: Run): Promise<void> {
  for (let after = run.cursor ?? FIRST; run.hasTime(); ) {
    const [page]: [Page] = await platform.em().execute(NEW, [after, PAGE, after, after])
    let gone = 0
    do {
      await run.step(run.cursor, async (em) => {
        const deleted: unknown[] = await em.execute(CROP, [JSON.stringify(page.members), MOST, BATCH])
        gone = deleted.length
      })
      if (gone > 0) run.count('notification', gone)
    } while (gone === BATCH && run.hasTime())
    if (gone === BATCH) return
    await run.step(page.kept, async () => {})
    if (page.read < PAGE) return
    after = page.last
  }
}

const NEW = `
  with page as materialized (select id, user_id from notification where id > ? order by id limit ?),
  ends as (select coalesce((select id from page order by id desc limit 1), ?::uuid) as last)
  select (select count(*) from page)::int as read, last, greatest(?::uuid, least(last, uuidv7('-5 minutes'))) as kept,
    (select coalesce(jsonb_agg(distinct user_id), '[]') from page) as members
  from ends`

const CROP = `
  delete from notification where id in (
    select old.id from jsonb_array_elements_text(?::jsonb) as member
    cross join (values (true), (false)) as halves (own)
    cross join lateral (
      select id from notification where user_id = member::uuid and (category = 'system') = own order by created_at desc, id desc offset ?
    ) old
    limit ?
  ) returning 1`
