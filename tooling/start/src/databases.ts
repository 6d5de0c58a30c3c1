import { migrateClob } from '@augury/domain/clob/database'
import { migratePlatform } from '@augury/domain/platform/database'
import type { StartSettings } from '@augury/settings/env'
import { query, withConnection } from '@augury/testing/connection'
import { guard } from '@augury/testing/guard'
import { type PostgresServer, postgresServer } from '@augury/testing/postgres-server'
import { postgresFolder } from './data-folder.ts'

/** The embedded server for these settings, or null when both databases are elsewhere. Does not start it. */
export function embeddedPostgres({ dataDir, pgPort, databaseUrl, clobDatabaseUrl }: StartSettings): PostgresServer | null {
  const embedded = [databaseUrl, clobDatabaseUrl].some((url) => isEmbedded(url, pgPort))
  return embedded ? postgresServer({ dataDir: postgresFolder(dataDir), port: pgPort, durable: true }) : null
}

/**
 * Starts the embedded server, guarded so that it is shut down should this process be killed. Returns a function that ends the guard; call
 * it after a stop.
 */
export async function startPostgres(server: PostgresServer): Promise<() => void> {
  await server.start()
  return guard('kill -INT "$1"', [String(server.pid())]) // "fast" shutdown: rolls back open transactions, flushes the rest
}

/** Creates the two databases if they are missing and migrates both. */
export async function prepareDatabases({ pgPort, databaseUrl, clobDatabaseUrl }: StartSettings): Promise<void> {
  for (const url of [databaseUrl, clobDatabaseUrl]) if (isEmbedded(url, pgPort)) await createIfMissing(url)
  await Promise.all([migratePlatform(databaseUrl), migrateClob(clobDatabaseUrl)])
}

/** Session and program of the exchange's writer. A session that began after its last sign of life is another's with the same number. */
const WRITER = `
  select holder from lease join pg_stat_activity on pid = backend_pid and backend_start <= verified_at and datname = current_database()`

/** Throws a sentence when another program writes to the exchange's database: ours would wait for its end. */
export async function requireNoWriter({ clobDatabaseUrl }: StartSettings): Promise<void> {
  const [writer] = await query<{ holder: string }>(clobDatabaseUrl, WRITER)
  if (!writer) return
  const [host, pid] = writer.holder.split('/')
  throw new Error(
    `Process ${pid} on ${host} already writes to the database of the exchange: a standby that still runs, or another deployment. Stop it first.`,
  )
}

function isEmbedded(url: string, pgPort: number): boolean {
  const { hostname, port } = new URL(url)
  return hostname === '127.0.0.1' && Number(port) === pgPort
}

async function createIfMissing(url: string): Promise<void> {
  const name = new URL(url).pathname.slice(1)
  const admin = new URL(url)
  admin.pathname = 'postgres'
  await withConnection(admin.href, async (client) => {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
    if (rowCount === 0) await client.query(`create database ${client.escapeIdentifier(name)}`)
  })
}
