import pg from 'pg'
import { NOTIFICATION_CHANNEL } from './notify.ts'

/** Milliseconds before a lost connection is tried again. */
const RETRY_MS = 1000

/** Wakes those who wait for news of a member, whichever process told it. */
export interface WakeUps {
  /** Calls `wake` whenever there may be news of a user; returns what stops it. The first caller opens the connection. */
  follow(userId: string, wake: () => void): () => void
  close(): Promise<void>
}

/** Hears the database's channel. After a lost connection everybody is woken: something may have been missed. */
export function openWakeUps(databaseUrl: string): WakeUps {
  const waiting = new Map<string, Set<() => void>>()
  let listening: Promise<pg.Client> | null = null
  let retry: NodeJS.Timeout | undefined
  let closed = false

  const wakeAll = () => {
    for (const wakes of waiting.values()) for (const wake of wakes) wake()
  }
  const lost = () => {
    listening = null
    clearTimeout(retry)
    if (!closed && waiting.size > 0) retry = setTimeout(listen, RETRY_MS)
  }
  const connect = async () => {
    const client = new pg.Client({ connectionString: databaseUrl, application_name: 'augury notifications' })
    client.on('error', lost)
    client.on('notification', ({ payload }) => {
      for (const wake of waiting.get(payload ?? '') ?? []) wake()
    })
    await client.connect()
    await client.query(`listen ${NOTIFICATION_CHANNEL}`)
    wakeAll()
    return client
  }
  const listen = () => {
    listening ??= connect()
    listening.catch(lost)
  }

  return {
    follow(userId, wake) {
      const wakes = waiting.get(userId) ?? new Set()
      waiting.set(userId, wakes.add(wake))
      if (!listening) listen()
      return () => {
        wakes.delete(wake)
        if (wakes.size === 0 && waiting.get(userId) === wakes) waiting.delete(userId)
      }
    },
    async close() {
      closed = true
      clearTimeout(retry)
      await listening?.then((client) => client.end()).catch(() => {})
    },
  }
}
