import type { Activity, ActivityType } from '@augury/wire/data'
import { PAGE_MAX } from '@augury/wire/limits'
import type { Member } from '../authorization/viewer.ts'
import type { Site } from '../site/site.ts'
import { listOwnActivity } from './funds.ts'

/**
 * Yields all changes of the member's balances, newest first, each once, whatever happens meanwhile and however many there are: a page
 * begins in the second in which the one before it ended. Without `types`, all of them.
 */
export async function* ownHistory(
  site: Site,
  member: Member,
  type: ActivityType[],
  limit = PAGE_MAX,
): AsyncGenerator<Activity[], undefined, undefined> {
  let end: number | undefined
  /** Rows of that second already yielded; new ones may have come in front of them. */
  let offset = 0
  let told = new Set<string>()
  for (;;) {
    const rows = await listOwnActivity(site, member, { query: { market: [], type, limit, offset, end } })
    yield rows.filter((row) => !told.has(nameOf(row)))
    if (rows.length < limit) return
    const last = rows.at(-1)!.timestamp
    if (last !== end) [end, offset, told] = [last, 0, new Set()]
    for (const row of rows.filter(({ timestamp }) => timestamp === end)) {
      offset++
      told.add(nameOf(row))
    }
  }
}

/** Key of a row; a self-trade has two rows of one fill. */
const nameOf = ({ transactionHash, side, outcomeIndex }: Activity) => `${transactionHash} ${side} ${outcomeIndex}`
