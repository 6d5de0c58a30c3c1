import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Child, startChild } from './child-process.ts'
import { freePort } from './free-port.ts'

const folder = join(import.meta.dirname, '../../../apps/clob-server')

/** A clob-server in a process of its own, in sandbox mode. */
export interface ClobServerProcess extends Child {
  /** Address at which it answers. */
  url: string
  /** Stops it as an operator would, and removes its data folder. */
  remove(): Promise<void>
}

/**
 * Starts the real program over a migrated database whose durability is on, and waits until it listens. `operator` may create keys of
 * every scope.
 */
export async function startClobServerProcess(options: {
  databaseUrl: string
  operator: string
  port?: number
}): Promise<ClobServerProcess> {
  const dataDir = mkdtempSync(join(tmpdir(), 'augury-clob-server-'))
  const port = options.port ?? (await freePort())
  const child = startChild(process.execPath, ['src/main.ts'], {
    cwd: folder,
    env: {
      CLOB_PORT: String(port),
      CLOB_DATABASE_URL: options.databaseUrl,
      PUBLIC_CLOB_URL: `http://127.0.0.1:${port}`,
      DATA_DIR: dataDir,
      VENUE_ADDRESSES: options.operator,
      OPERATOR_ADDRESSES: options.operator,
    },
  })
  await child.waitFor(/listening/)
  const remove = async () => {
    await child.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
  return { ...child, url: `http://127.0.0.1:${port}`, remove }
}
