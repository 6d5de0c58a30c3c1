import pg from 'pg'
import { KEY_CHANNEL, type Keys } from './keys.ts'
import { connection } from './postgres.ts'

/**
 * Keeps the keys of this process true to what others do: hears every notification, and after a lost connection reads the whole table.
 * Returns what stops it.
 */
export async function followKeys(databaseUrl: string, keys: Keys, onError: (error: Error) => void): Promise<() => Promise<void>> {
  let stopped = false
  let client: pg.Client | null = null
  let retry: NodeJS.Timeout | undefined

  const lost = (error: Error) => {
    client = null
    if (stopped) return
    onError(error)
    clearTimeout(retry)
    retry = setTimeout(
      () =>
        void listen()
          .then(() => keys.reload())
          .catch(lost),
      1000,
    )
  }
  const listen = async () => {
    const fresh = new pg.Client(connection(databaseUrl, 'keys'))
    fresh.on('error', lost)
    fresh.on('notification', ({ payload }) => void keys.reload(payload).catch(onError))
    await fresh.connect()
    await fresh.query(`listen ${KEY_CHANNEL}`)
    client = fresh
  }

  await listen()
  return async () => {
    stopped = true
    clearTimeout(retry)
    await client?.end()
  }
}
