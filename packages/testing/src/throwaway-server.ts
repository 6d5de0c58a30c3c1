import { chownSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'
import { guard } from './guard.ts'
import { isReachable, postgresUser } from './postgres-binaries.ts'
import { type PostgresServer, postgresServer } from './postgres-server.ts'

// Like a crash: the data is removed next.
const REMOVE = `
  pid=$(head -n 1 "$1/data/postmaster.pid") && kill -QUIT "$pid" && while kill -0 "$pid"; do sleep 0.05; done
  rm -rf "$1"`

/** A server that lives no longer than this process. */
export interface ThrowawayServer extends PostgresServer {
  /** Stops the server and removes its data, as also happens when this process ends. */
  remove(): Promise<void>
}

/** Starts a PostgreSQL with a new cluster in the temp folder, or below `under`, on a free port. `durable` as in PostgresOptions, off by default. */
export async function startThrowawayServer({
  durable = false,
  under = isReachable(tmpdir()) ? tmpdir() : '/var/tmp',
} = {}): Promise<ThrowawayServer> {
  const folder = mkdtempSync(join(under, 'augury-postgres-'))
  if (postgresUser) chownSync(folder, postgresUser.uid, postgresUser.gid)
  const release = guard(REMOVE, [folder])
  const server = postgresServer({ dataDir: join(folder, 'data'), port: await freePort(), durable })
  const remove = async () => {
    await server.stop('immediate')
    rmSync(folder, { recursive: true, force: true })
    release()
  }
  try {
    await server.start()
  } catch (error) {
    await remove()
    throw error
  }
  return { ...server, remove }
}
