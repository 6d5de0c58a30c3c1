import pg from 'pg'
import { drop } from './pool.ts'

/** Milliseconds before reconnecting. */
const RETRY_MS = 1000
/** Milliseconds between two checks of the connection, and for which it may leave anything unanswered. */
const CHECK_MS = 5000

/** How channels of a database are listened to. */
export interface Ears {
  connection: pg.ClientConfig
  channels: readonly string[]
  /** Milliseconds between two checks: a connection that only listens does not notice that the other end is gone. */
  checkMs?: number
  /** Called after every connect: catches up on what was missed. Notifications may come meanwhile. */
  connected(client: pg.Client): unknown
  heard(payload: string, channel: string): void
  lost?(error: Error): void
  /** Whether to reconnect after a loss. */
  wanted(): boolean
}

/** A connection that listens on channels. */
export interface Listener {
  /** Connects, unless it is connected or connecting. */
  open(): void
  close(): void
}

/** Makes a listener. It connects when opened, and reconnects after every loss. */
export function listener({ connection, channels, checkMs = CHECK_MS, ...ears }: Ears): Listener {
  let client: pg.Client | null = null
  let retry: NodeJS.Timeout | undefined
  let check: NodeJS.Timeout | undefined
  let isClosed = false

  const lost = (from: pg.Client, error: Error) => {
    if (from !== client) return
    client = null
    drop(from) // it may still be listening: the failure may have been of what follows a connect
    clearTimeout(check)
    ears.lost?.(error)
    clearTimeout(retry)
    if (ears.wanted()) retry = setTimeout(open, RETRY_MS)
  }
  const look = (at: pg.Client) => {
    const next = () => {
      if (at === client) look(at)
    }
    check = setTimeout(() => {
      at.query('select 1').then(next, (error) => lost(at, error))
    }, checkMs)
    check.unref()
  }
  const begin = async (fresh: pg.Client) => {
    await fresh.connect()
    for (const channel of channels) await fresh.query(`listen ${channel}`) // a server in recovery accepts connections and refuses this
    await ears.connected(fresh)
    if (fresh === client) look(fresh)
  }
  const open = () => {
    if (client || isClosed) return
    const fresh = new pg.Client({ keepAlive: true, connectionTimeoutMillis: CHECK_MS, query_timeout: CHECK_MS, ...connection })
    fresh.on('error', (error) => lost(fresh, error))
    fresh.on('end', () => lost(fresh, new Error('the connection has ended')))
    fresh.on('notification', ({ payload = '', channel }) => {
      if (fresh === client) ears.heard(payload, channel)
    })
    client = fresh
    begin(fresh).catch((error) => lost(fresh, error))
  }
  return {
    open,
    close() {
      isClosed = true
      clearTimeout(retry)
      clearTimeout(check)
      drop(client)
      client = null
    },
  }
}
