import pg from 'pg'

/** Connections for reading sessions; each read is short. */
const CONNECTIONS = 8

/** A session with what every request needs of its member. */
export interface SessionRow {
  id: string
  user_id: string
  address: `0x${string}`
  banned: boolean
  two_factor: boolean
  listed: boolean
  proven_at: Date
  last_seen_at: Date
}

/** Reads sessions, with which every request of a member begins. */
export interface SessionReads {
  /** The session with a token's hash that began and was last seen after the given times, or null. */
  find(tokenHash: Buffer, bornAfter: Date, seenAfter: Date): Promise<SessionRow | null>
  close(): Promise<void>
}

const FIND = `
  select session.id, session.user_id, session.proven_at, session.last_seen_at, users.address, users.banned_at is not null as banned,
    exists (select from two_factor where two_factor.user_id = users.id and confirmed_at is not null) as two_factor,
    exists (select from admin_wallet where admin_wallet.address = users.address) as listed
  from session join users on users.id = session.user_id
  where token_hash = $1 and session.created_at > $2 and last_seen_at > $3`

/** Reads by a prepared statement: planning the query would cost more than running it. */
export function openSessionReads(databaseUrl: string): SessionReads {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    application_name: 'augury sessions',
    max: CONNECTIONS,
    connectionTimeoutMillis: 5000,
    query_timeout: 5000,
    keepAlive: true,
    allowExitOnIdle: true,
  })
  pool.on('error', () => {}) // an idle connection broke; the next read opens another
  return {
    async find(tokenHash, bornAfter, seenAfter) {
      const { rows } = await pool.query<SessionRow>({ name: 'session', text: FIND, values: [tokenHash, bornAfter, seenAfter] })
      return rows[0] ?? null
    },
    close: () => pool.end(),
  }
}
