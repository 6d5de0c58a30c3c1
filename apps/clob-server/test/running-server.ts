import { migrateClob } from '@augury/domain/clob/database'
import { clobSettings } from '@augury/settings/env'
import { migratedDatabase } from '@augury/testing/database'
import { freePort } from '@augury/testing/free-port'
import { temporaryFolder } from '@augury/testing/temporary-folder'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll } from 'vitest'
import { openLog } from '../src/log.ts'
import { startClobServer } from '../src/server.ts'

/** Wallets of the tests: the operator manages the venue, the others trade. Their keys are public knowledge. */
export const wallets = {
  operator: privateKeyToAccount(`0x${'01'.repeat(32)}`),
  alice: privateKeyToAccount(`0x${'a1'.repeat(32)}`),
  bob: privateKeyToAccount(`0x${'b0'.repeat(32)}`),
  carol: privateKeyToAccount(`0x${'c0'.repeat(32)}`),
}

/**
 * An order-book service on a database of its own, closed after the tests of the file, or after the given one. `restart` ends it and begins
 * again on the same data.
 */
export async function runningServer(environment: Record<string, string> = {}, whenDone: (close: () => Promise<void>) => void = afterAll) {
  const port = await freePort()
  const settings = clobSettings({
    CLOB_PORT: String(port),
    CLOB_DATABASE_URL: await migratedDatabase('clob', migrateClob),
    DATA_DIR: temporaryFolder('clob'),
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
  whenDone(() => server.close())
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
  }
}

export type RunningServer = Awaited<ReturnType<typeof runningServer>>
