import { openPlatformOrm } from '@augury/domain/platform/database'
import type { EntityManager } from '@mikro-orm/postgresql'

/** A deployment: its database and its clock. */
export interface Platform {
  /** An entity manager for one request or one step of a job: never share it between two. */
  em(): EntityManager
  now(): Date
  /** Closes the connections, so that the process can end. */
  close(): Promise<void>
}

/** Opens a migrated `platform` database. Connects on first use. */
export async function openPlatform(databaseUrl: string, now: () => Date = () => new Date()): Promise<Platform> {
  const orm = await openPlatformOrm(databaseUrl)
  return { em: () => orm.em.fork(), now, close: () => orm.close() }
}
