import { migrateClob } from '@augury/domain/clob/database'
import { startThrowawayServer } from '@augury/testing/throwaway-server'

let database: Promise<string> | undefined

/** Connection URL of a migrated database for the whole process. */
export function realDatabase(): Promise<string> {
  database ??= open()
  return database
}

async function open(): Promise<string> {
  const server = await startThrowawayServer()
  const url = server.url('postgres')
  await migrateClob(url)
  return url
}
