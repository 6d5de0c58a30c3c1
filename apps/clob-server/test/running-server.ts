import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrateClob } from '@augury/domain/clob/database'
import { clobSettings } from '@augury/settings/env'
import { migratedDatabase } from '@augury/testing/database'
import { freePort } from '@augury/testing/free-port'
import { privateKeyToAccount } from 'viem/accounts'
import { openLog } from '../src/log.ts'
import { startClobServer } from '../src/server.ts'

/** Wallets of the tests: the operator manages the venue, the others trade. Their keys are public knowledge. */
export const wallets = {
  operator: privateKeyToAccount(`0x${'01'.repeat(32)}`),
  alice: privateKeyToAccount(`0x${'a1'.repeat(32)}`),
  bob: privateKeyToAccount(`0x${'b0'.repeat(32)}`),
  carol: privateKeyToAccount(`0x${'c0'.repeat(32)}`),
}

/** An order-book service on a database of its own. `restart` ends it and begins again on the same data. */
export async function runningServer(environment: Record<string, string> = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), 'augury-clob-'))
  const port = await freePort()
  const settings = clobSettings({
    CLOB_PORT: String(port),
    CLOB_DATABASE_URL: await migratedDatabase('clob', migrateClob),
    DATA_DIR: dataDir,
    LOG_LEVEL: 'error',
    VENUE_ADDRESSES: wallets.operator.address,
    OPERATOR_ADDRESSES: wallets.operator.address,
    ...environment,
  })
  const start = () =>
    startClobServer(
      settings,
      openLog(settings.logLevel),
      (error) => {
        throw error
      },
      { requireDurability: false },
    )
  let server = await start()
  return {
    url: server.url,
    settings,
    get server() {
      return server
    },
    async restart() {
      await server.close()
      server = await start()
    },
    async close() {
      await server.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

export type RunningServer = Awaited<ReturnType<typeof runningServer>>
