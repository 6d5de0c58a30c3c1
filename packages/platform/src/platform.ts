import { openPlatformOrm } from '@augury/domain/platform/database'
import type { EntityManager } from '@mikro-orm/postgresql'
import { type Lists, uncached } from './cache/cached-lists.ts'

/** A deployment: its database and its clock. */
export interface Platform {
  /** An entity manager for one request or one step of a job: never share it between two. */
  em(): EntityManager
  now(): Date
  /** Keeps what is the same for everybody, where that is worth it. */
  readonly lists: Lists
  /** Closes the connections, so that the process can end. */
  close(): Promise<void>
}

/** Opens a migrated `platform` database. Connects on first use. */
export async function openPlatform(databaseUrl: string, now: () => Date = () => new Date()): Promise<Platform> {
  const orm = await openPlatformOrm(databaseUrl)
  return { em: () => orm.em.fork(), now, lists: uncached, close: () => orm.close() }
}
