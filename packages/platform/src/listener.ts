import pg from 'pg'

/** Milliseconds before a lost connection is tried again, and between two looks whether it is still there. */
const RETRY_MS = 1000
const LOOK_MS = 5000

/** What is done with a channel of the database. */
export interface Ears {
  /** Shown by the database as the name of the connection. */
  name: string
  channel: string
  /** After every connection, before anything is heard: makes up for what was missed. */
  connected(client: pg.Client): Promise<void> | void
  heard(payload: string): void
  lost?(): void
  /** Whether somebody wants to hear: else a lost connection stays lost. */
  wanted(): boolean
}

/** A connection that hears a channel. */
export interface Listener {
  /** Connects, unless it is connected or about to be. */
  open(): void
  close(): Promise<void>
}

/** Makes a listener; it connects when told to, and again after every loss. A connection that is dead without a word is found out. */
export function listener(databaseUrl: string, ears: Ears): Listener {
  let listening: Promise<pg.Client> | null = null
  let retry: NodeJS.Timeout | undefined
  let looks: NodeJS.Timeout | undefined
  let closed = false

  const lost = () => {
    if (!listening) return
    listening = null
    clearInterval(looks)
    ears.lost?.()
    clearTimeout(retry)
    if (!closed && ears.wanted()) retry = setTimeout(open, RETRY_MS)
  }
  const connect = async () => {
    const client = new pg.Client({
      connectionString: databaseUrl,
      application_name: `augury ${ears.name}`,
      keepAlive: true,
      connectionTimeoutMillis: LOOK_MS,
      query_timeout: LOOK_MS,
    })
    client.on('error', lost)
    client.on('end', lost)
    client.on('notification', ({ payload }) => ears.heard(payload ?? ''))
    try {
      await client.connect()
      await client.query(`listen ${ears.channel}`)
      await ears.connected(client)
    } catch (error) {
      await client.end().catch(() => {}) // nobody else knows of it
      throw error
    }
    looks = setInterval(() => client.query('select 1').catch(() => client.end().catch(lost)), LOOK_MS)
    looks.unref()
    return client
  }
  const open = () => {
    if (listening || closed) return
    listening = connect()
    listening.catch(lost)
  }
  return {
    open,
    async close() {
      closed = true
      clearTimeout(retry)
      clearInterval(looks)
      await listening?.then((client) => client.end()).catch(() => {})
    },
  }
}
