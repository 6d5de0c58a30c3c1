import pg from 'pg'

/** Milliseconds before reconnecting, and between two checks of the connection. */
const RETRY_MS = 1000
const LOOK_MS = 5000

/** How a NOTIFY channel is listened to. */
export interface Ears {
  /** Application name of the connection. */
  name: string
  channel: string
  /** Called after every connect, before any notification: catches up on what was missed. */
  connected(client: pg.Client): Promise<void> | void
  heard(payload: string): void
  lost?(): void
  /** Whether to reconnect after a loss. */
  wanted(): boolean
}

/** A connection that listens on a channel. */
export interface Listener {
  /** Connects, unless it is connected or connecting. */
  open(): void
  close(): Promise<void>
}

/** Makes a listener. It connects when opened, reconnects after every loss, and checks the connection, as a dead one says nothing. */
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
      await client.end().catch(() => {}) // not kept anywhere else
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
