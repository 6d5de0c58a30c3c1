import { requireMigrated } from '@augury/domain/require-migrated'
import pg from 'pg'

const INT8 = 20
const NUMERIC = 1700

/** int8 and sums arrive as text: a safe integer or an error, never a rounded one. */
function safeInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`not a safe integer: ${text}`)
  return value
}

const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === INT8 || oid === NUMERIC ? safeInteger : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
}

/** As `pg_stat_activity` shows it: no longer than a name in PostgreSQL is. */
const shownName = (name: string): string => `augury ${name}`.slice(0, 63)

/**
 * Settings of a connection that notices within seconds that the other end is gone. `name` is what `pg_stat_activity` shows;
 * `session` are server settings.
 */
export const connection = (databaseUrl: string, name: string, session: Record<string, string> = {}): pg.ClientConfig => ({
  connectionString: databaseUrl,
  application_name: shownName(name),
  connectionTimeoutMillis: 3000,
  query_timeout: 10_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 1000,
  types,
  options: Object.entries({
    tcp_keepalives_idle: '1',
    tcp_keepalives_interval: '1',
    tcp_keepalives_count: '3',
    idle_in_transaction_session_timeout: '10s', // whoever is frozen with a lock in hand loses it
    ...session,
  })
    .map(([key, value]) => `-c ${key}=${value}`)
    .join(' '),
})

/** The names of the connections of what writes a stream's history. */
export const historians = (stream: string) => ({ reader: `follower ${stream}`, writer: `follower history ${stream}` })

/**
 * Settings of a connection that writes history. History comes from the journal and can be written again, so its commits need not wait for
 * the disk: the journal's must.
 */
export const historyConnection = (databaseUrl: string, name: string): pg.ClientConfig => ({
  ...connection(databaseUrl, name, { synchronous_commit: 'off' }),
  query_timeout: 120_000,
})

/**
 * Ends the connections that write a stream's history, whoever's they are. A program that is frozen while it copies rows in holds its locks
 * until it wakes up, and no time limit of the server's ends that: who took its place would wait for as long.
 */
export async function endHistorians(client: pg.ClientBase, stream: string): Promise<void> {
  const names = Object.values(historians(stream)).map(shownName)
  await client.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = any($1)',
    [names],
  )
}

/** A connected client whose connection may break without taking the process with it: whoever uses it next hears of it. */
export async function connect(config: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client(config)
  client.on('error', () => {}) // the query in flight, or the next one, rejects
  await client.connect()
  return client
}

/** Throws NotMigrated where the database of the exchange is older than this program. */
export async function requireClob(databaseUrl: string): Promise<void> {
  const client = await connect(connection(databaseUrl, 'start'))
  try {
    await requireMigrated('clob', async (sql) => (await client.query(sql)).rows)
  } finally {
    drop(client)
  }
}

/** Ends a connection at once, without asking the other end. */
export function drop(client: pg.Client | null): void {
  if (!client) return
  client.end().catch(() => {}) // says goodbye if anybody listens
  ;(client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy()
}

/** `0x…` → bytes. */
export const toBytes = (hex: string): Buffer => Buffer.from(hex.slice(2), 'hex')
/** bytes → `0x…`. */
export const toHex = (bytes: Buffer): `0x${string}` => `0x${bytes.toString('hex')}`
/** `0x…` → the text form of bytea, for rows sent as JSON. */
export const toBytea = (hex: string): string => `\\x${hex.slice(2)}`

/** Settings without which a commit may vanish. Throws a sentence when one is off. */
export async function checkDurability(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query(
    `select name, setting from pg_settings where name in ('fsync', 'synchronous_commit', 'full_page_writes')`,
  )
  const off = rows.filter(({ setting }) => setting === 'off').map(({ name }) => name)
  if (off.length > 0) {
    throw new Error(`PostgreSQL runs with ${off.join(', ')} off: an accepted order could be lost. Turn it on and start again.`)
  }
}
