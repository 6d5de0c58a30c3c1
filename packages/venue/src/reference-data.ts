import type { Hex } from '@augury/engine/command'
import type { Pool } from 'pg'
import { KEY_CHANNEL, Keys } from './access/keys.ts'
import { OneOwner } from './access/one-owner.ts'
import { WALLET_CHANNEL, Wallets } from './access/wallets.ts'
import { FEE_CHANNEL, FeeAccounts } from './fee-accounts.ts'
import { MARKET_CHANNEL, Markets } from './markets.ts'
import { followNotices } from './notices.ts'

/** What the exchange knows beside its log, in memory. */
export interface ReferenceData {
  keys: Keys
  wallets: Wallets
  feeAccounts: FeeAccounts
  markets: Markets
}

/** Where it comes from. */
export interface ReferenceSource {
  db: Pool
  /** Of the same database, for the one connection that listens. */
  databaseUrl: string
  /** Secret of the server, from which API keys are derived. */
  apiKeySecret: string
  isStandby(): boolean
  /** Hears of what went wrong in the background. */
  onError(error: Error): void
}

/** Milliseconds between two writes of when keys were last used. */
const KEY_USES_MS = 60_000

/** Reads it, and keeps it true to what other processes change. `close` writes what is left to write; the pool stays open. */
export async function openReferenceData(source: ReferenceSource): Promise<ReferenceData & { close(): Promise<void> }> {
  const { db, databaseUrl, apiKeySecret, isStandby, onError } = source
  const owners = new OneOwner(db)
  const [keys, markets, wallets, feeAccounts] = await Promise.all([
    Keys.load(db, owners, apiKeySecret),
    Markets.load(db),
    Wallets.load(db, owners),
    FeeAccounts.load(db),
  ])
  const hearing = {
    [KEY_CHANNEL]: (key?: string) => keys.reload(key),
    [WALLET_CHANNEL]: (address?: string) => wallets.reload(address),
    [FEE_CHANNEL]: (deployment?: string) => feeAccounts.reload(deployment),
    [MARKET_CHANNEL]: async (condition?: string) => {
      if (isStandby()) await markets.reload(condition as Hex) // the writer told, and knows
    },
  }
  const stopNotices = await followNotices(databaseUrl, hearing, onError)
  const uses = setInterval(() => void keys.writeUses().catch(onError), KEY_USES_MS)
  return {
    ...{ keys, wallets, feeAccounts, markets },
    async close() {
      clearInterval(uses)
      stopNotices()
      await keys.writeUses().catch(onError)
    },
  }
}
