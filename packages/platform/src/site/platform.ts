import { openPlatformOrm } from '@augury/domain/platform/database'
import type { Patience } from '@augury/domain/pool'
import { NotMigrated, requireMigrated } from '@augury/domain/require-migrated'
import type { EntityManager } from '@mikro-orm/postgresql'
import { type Lists, uncached } from '../cache/cached-lists.ts'
import { SearchedEvents } from '../cache/searched-events.ts'

/** A deployment: its database and its clock. */
export interface Platform {
  /** A new entity manager, for one request or one step of a job. */
  em(): EntityManager
  now(): Date
  /** Milliseconds that it may be apart from the database's clock when jobs decide what is over; null for a clock of a test. */
  readonly clockWithinMs: number | null
  /** Cache of lists that are the same for everybody. */
  readonly lists: Lists
  /** The words of all events, in memory. */
  readonly searched: SearchedEvents
  /** Closes the connections, so that the process can end. */
  close(): Promise<void>
}

/** More than any clock that is kept right is off, less than any time that members have. */
const SAME_CLOCK_MS = 60_000

/**
 * Opens a `platform` database, with the machine's clock or that of a test. Throws NotMigrated when it is older than this program. When it does not answer, the check runs at first use.
 */
export async function openPlatform(databaseUrl: string, now?: () => Date, patience?: Patience): Promise<Platform> {
  const orm = await openPlatformOrm(databaseUrl, patience)
  const platform: Platform = {
    em: () => orm.em.fork(),
    now: now ?? (() => new Date()),
    clockWithinMs: now ? null : SAME_CLOCK_MS,
    lists: uncached,
    searched: new SearchedEvents(),
    close: () => orm.close(),
  }
  try {
    await requireMigrated('platform', (sql) => orm.em.fork().execute(sql))
  } catch (error) {
    if (error instanceof NotMigrated) {
      await orm.close()
      throw error
    }
  }
  return platform
}
