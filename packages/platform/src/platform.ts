import { openPlatformOrm } from '@augury/domain/platform/database'
import type { Patience } from '@augury/domain/pool'
import { NotMigrated, requireMigrated } from '@augury/domain/require-migrated'
import type { EntityManager } from '@mikro-orm/postgresql'
import { type Lists, uncached } from './cache/cached-lists.ts'

/** A deployment: its database and its clock. */
export interface Platform {
  /** A new entity manager, for one request or one step of a job. */
  em(): EntityManager
  now(): Date
  /** Cache of lists that are the same for everybody. */
  readonly lists: Lists
  /** Closes the connections, so that the process can end. */
  close(): Promise<void>
}

/**
 * Opens a `platform` database. Throws NotMigrated when it is older than this program. When it does not answer, the check runs at first use.
 */
export async function openPlatform(databaseUrl: string, now: () => Date = () => new Date(), patience?: Patience): Promise<Platform> {
  const orm = await openPlatformOrm(databaseUrl, patience)
  const platform: Platform = { em: () => orm.em.fork(), now, lists: uncached, close: () => orm.close() }
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
