import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { migrateClob } from '@augury/domain/clob/database'
import { startSettings } from '@augury/settings/env'
import { embeddedPostgres } from '@augury/start/databases'
import { startEverything } from '@augury/start/everything'
import { startClobServerProcess } from '@augury/testing/clob-server-process'
import { startThrowawayServer } from '@augury/testing/throwaway-server'
import type { Hex } from '@augury/wire/scalars'
import { privateKeyToAddress } from 'viem/accounts'

/** A running exchange, the programs beside it, and a key to operate it. */
export interface System {
  exchange: string
  /** Null without a site. */
  site: string | null
  /** Of the exchange. */
  databaseUrl: string
  operatorKey: Hex
  /** Its programs by name, PostgreSQL's server included. */
  programs(): { name: string; pid: number }[]
  stop(): Promise<void>
}

/** Everything that `npm start` starts, from nothing, on ports and data of its own. */
export async function wholeSystem(): Promise<System> {
  const everything = await startEverything(join(import.meta.dirname, '../../..'), 'load', { LOG_LEVEL: 'error' })
  const settings = startSettings(everything.settings)
  const postgres = embeddedPostgres(settings)
  return {
    exchange: settings.clobUrl,
    site: settings.origin,
    databaseUrl: settings.clobDatabaseUrl,
    operatorKey: settings.platformWalletKey as Hex,
    programs: () => [...everything.programs(), { name: 'postgres', pid: postgres?.pid() ?? 0 }],
    stop: everything.stop,
  }
}

/** The exchange alone on a durable PostgreSQL: real programs, but neither site nor worker. */
export async function exchangeAlone(): Promise<System> {
  const postgres = await startThrowawayServer({ durable: true })
  try {
    const databaseUrl = postgres.url('postgres')
    await migrateClob(databaseUrl)
    const operatorKey: Hex = `0x${'01'.repeat(32)}`
    const server = await startClobServerProcess({ databaseUrl, operator: privateKeyToAddress(operatorKey) })
    return {
      exchange: server.url,
      site: null,
      databaseUrl,
      operatorKey,
      programs: () => [
        { name: 'clob-server', pid: server.pid },
        { name: 'postgres', pid: postgres.pid() ?? 0 },
      ],
      async stop() {
        await server.stop('SIGKILL')
        rmSync(server.dataDir, { recursive: true, force: true })
        await postgres.remove()
      },
    }
  } catch (error) {
    await postgres.remove()
    throw error
  }
}
