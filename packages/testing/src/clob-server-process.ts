import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Child, startChild } from './child-process.ts'
import { EXCHANGE_FLAGS } from './exchange-flags.ts'
import { freePort } from './free-port.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = join(import.meta.dirname, '../../../apps/clob-server')

/** A clob-server in a process of its own, in sandbox mode. */
export interface ClobServerProcess extends Child {
  /** Its base URL. */
  url: string
  /** Folder of its secrets and its log. */
  dataDir: string
  /** Stops it as an operator would, and removes its data folder. */
  remove(): Promise<void>
}

/** Its database, and the wallets that may create keys of any scope. Defaults to a free port and a new data folder. */
export interface ClobServerOptions {
  databaseUrl: string
  operator: string
  port?: number
  dataDir?: string
  /** Whether it starts as a standby of another writer. */
  standby?: boolean
  /** Further environment variables. */
  environment?: Readonly<Record<string, string>>
}

/** Starts the real program on a migrated, durable database, and waits until it listens. */
export async function startClobServerProcess(options: ClobServerOptions): Promise<ClobServerProcess> {
  const { databaseUrl, operator, dataDir = temporaryFolder('clob-server'), standby = false } = options
  const port = options.port ?? (await freePort())
  const child = startChild(process.execPath, [...EXCHANGE_FLAGS, standby ? 'src/standby.ts' : 'src/main.ts'], {
    cwd: folder,
    env: {
      [standby ? 'STANDBY_PORT' : 'CLOB_PORT']: String(port),
      CLOB_DATABASE_URL: databaseUrl,
      PUBLIC_CLOB_URL: `http://127.0.0.1:${port}`,
      DATA_DIR: dataDir,
      VENUE_ADDRESSES: operator,
      OPERATOR_ADDRESSES: operator,
      ...options.environment,
    },
  })
  const remove = async () => {
    await child.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
  try {
    await child.waitFor(/listening/)
  } catch (error) {
    await (options.dataDir === undefined ? remove() : child.stop()) // a folder of the caller is not removed
    throw error
  }
  return { ...child, url: `http://127.0.0.1:${port}`, dataDir, remove }
}
