import { listener } from '@augury/domain/listener'
import { NOTIFICATION_CHANNEL } from './notify.ts'

/** Wakes streams that wait for notifications of a member, whichever process wrote them. */
export interface WakeUps {
  /** Calls `wake` whenever a user may have a new notification; returns the function that stops it. The first call opens the connection. */
  follow(userId: string, wake: () => void): () => void
  close(): void
}

/** Listens on the database's channel. After a reconnect everybody is woken, because notifications may have been missed. */
export function openWakeUps(databaseUrl: string): WakeUps {
  const waiting = new Map<string, Set<() => void>>()
  const news = listener({
    connection: { connectionString: databaseUrl, application_name: 'augury notifications' },
    channels: [NOTIFICATION_CHANNEL],
    connected() {
      for (const wakes of waiting.values()) for (const wake of wakes) wake()
    },
    heard(userId) {
      for (const wake of waiting.get(userId) ?? []) wake()
    },
    wanted: () => waiting.size > 0,
  })
  return {
    follow(userId, wake) {
      const wakes = waiting.get(userId) ?? new Set()
      waiting.set(userId, wakes.add(wake))
      news.open()
      return () => {
        wakes.delete(wake)
        if (wakes.size === 0 && waiting.get(userId) === wakes) waiting.delete(userId)
      }
    },
    close: () => news.close(),
  }
}
