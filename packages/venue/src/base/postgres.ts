import { drop } from '@augury/domain/pool'
import { requireMigrated } from '@augury/domain/require-migrated'
import pg from 'pg'

const INT8 = 20
const NUMERIC = 1700

/** Reads an int8 or numeric. Throws RangeError rather than round it. */
function safeInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`not a safe integer: ${text}`)
  return value
}

const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === INT8 || oid === NUMERIC ? safeInteger : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
}

/** The name that `pg_stat_activity` shows, cut to PostgreSQL's limit for names. */
const shownName = (name: string): string => `augury ${name}`.slice(0, 63)

/**
 * Settings of a connection that notices within seconds when the other end is gone. `name` shows in `pg_stat_activity`; `session` holds
 * server settings. They win over those of the URL, whose other options stay.
 */
export function connection(databaseUrl: string, name: string, session: Record<string, string> = {}): pg.ClientConfig {
  const url = new URL(databaseUrl)
  const given = url.searchParams.get('options')
  for (const key of ['options', 'application_name']) if (url.searchParams.has(key)) url.searchParams.delete(key)
  const settings = {
    tcp_keepalives_idle: '1',
    tcp_keepalives_interval: '1',
    tcp_keepalives_count: '3',
    idle_in_transaction_session_timeout: '10s', // a frozen process loses its locks
    ...session,
  }
  const own = Object.entries(settings).map(([key, value]) => `-c ${key}=${value}`)
  return {
    connectionString: url.href,
    application_name: shownName(name),
    connectionTimeoutMillis: 3000,
    query_timeout: 10_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 1000,
    types,
    options: [...(given ? [given] : []), ...own].join(' '),
  }
}

/** Names of the two connections by which a stream's history is written. */
export const historyConnectionNames = (stream: string) => ({ reader: `follower ${stream}`, writer: `follower history ${stream}` })

/**
 * Settings of a connection that writes history. History can be written again from the journal, so its commits need not wait for the disk;
 * the journal's must.
 */
export const historyConnection = (databaseUrl: string, name: string): pg.ClientConfig => ({
  ...connection(databaseUrl, name, { synchronous_commit: 'off' }),
  query_timeout: 120_000,
})

/**
 * Ends all connections that write a stream's history, of whatever process. A program that froze in the middle of a COPY keeps its locks
 * until it wakes up, because no timeout of the server applies, and would block the process that took over.
 */
export async function endHistoryConnections(client: pg.ClientBase, stream: string): Promise<void> {
  const names = Object.values(historyConnectionNames(stream)).map(shownName)
  await client.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = any($1)',
    [names],
  )
}

/** A connected client. A broken connection does not end the process: the query in flight, or the next one, rejects. */
export async function connect(config: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client(config)
  client.on('error', () => {})
  await client.connect()
  return client
}

/** Throws NotMigrated when the database of the exchange is older than this program. */
export async function requireClob(databaseUrl: string): Promise<void> {
  const client = await connect(connection(databaseUrl, 'start'))
  try {
    await requireMigrated('clob', async (sql) => (await client.query(sql)).rows)
  } finally {
    drop(client)
  }
}

/** `0x…` → bytes. */
export const toBytes = (hex: string): Buffer => Buffer.from(hex.slice(2), 'hex')
/** bytes → `0x…`. */
export const toHex = (bytes: Buffer): `0x${string}` => `0x${bytes.toString('hex')}`
/** `0x…` → the text form of bytea, for rows sent as JSON. */
export const toBytea = (hex: string): string => `\\x${hex.slice(2)}`

/** Throws an explanation when the server runs with a setting under which commits may be lost. */
export async function checkDurability(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query(
    `select name, setting from pg_settings where name in ('fsync', 'synchronous_commit', 'full_page_writes')`,
  )
  const off = rows.filter(({ setting }) => setting === 'off').map(({ name }) => name)
  if (off.length > 0) {
    throw new Error(`PostgreSQL runs with ${off.join(', ')} off: an accepted order could be lost. Turn it on and start again.`)
  }
}
