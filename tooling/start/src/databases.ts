import { migrateClob } from '@augury/domain/clob/database'
import { migratePlatform } from '@augury/domain/platform/database'
import type { StartSettings } from '@augury/settings/env'
import { withConnection } from '@augury/testing/connection'
import { guard } from '@augury/testing/guard'
import { type PostgresServer, postgresServer } from '@augury/testing/postgres-server'
import { postgresFolder } from './data-folder.ts'

/** The embedded server that the settings ask for, or null when both databases are elsewhere. Does not start it. */
export function embeddedPostgres({ dataDir, pgPort, databaseUrl, clobDatabaseUrl }: StartSettings): PostgresServer | null {
  const embedded = [databaseUrl, clobDatabaseUrl].some((url) => isEmbedded(url, pgPort))
  return embedded ? postgresServer({ dataDir: postgresFolder(dataDir), port: pgPort, durable: true }) : null
}

/** Starts the embedded server. It ends in good order should this process be killed. Returns what keeps watch; call it after a stop. */
export async function startPostgres(server: PostgresServer): Promise<() => void> {
  await server.start()
  return guard('kill -INT "$1"', [String(server.pid())]) // "fast": rolls back what is open, writes the rest out
}

/** Makes the two databases where they are missing and brings both to their newest migration. */
export async function prepareDatabases({ pgPort, databaseUrl, clobDatabaseUrl }: StartSettings): Promise<void> {
  for (const url of [databaseUrl, clobDatabaseUrl]) if (isEmbedded(url, pgPort)) await createIfMissing(url)
  await Promise.all([migratePlatform(databaseUrl), migrateClob(clobDatabaseUrl)])
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
