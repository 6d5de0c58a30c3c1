import type { Hex } from '@augury/engine/command'
import type { Pool } from 'pg'
import { followNotices } from '../../base/notices.ts'
import { notePostedRoot, type PostedRootRecord } from '../../record/history/posted-roots.ts'
import { KEY_CHANNEL, Keys } from '../access/keys.ts'
import { OwnerTransactions } from '../access/owner-transactions.ts'
import { WALLET_CHANNEL, Wallets } from '../access/wallets.ts'
import { FEE_CHANNEL, FeeAccounts } from './fee-accounts.ts'
import { MARKET_CHANNEL, Markets } from './markets.ts'

/** What the exchange keeps in memory besides its log. */
export interface ReferenceData {
  keys: Keys
  wallets: Wallets
  feeAccounts: FeeAccounts
  postedRoots: PostedRoots
  markets: Markets
}

/** What reference data is loaded from. */
export interface ReferenceSource {
  db: Pool
  /** Of the same database, for the connection that listens for changes. */
  databaseUrl: string
  /** The server's secret, from which API keys are derived. */
  apiKeySecret: string
  isStandby(): boolean
  /** Called with failures in the background. */
  onError(error: Error): void
}

/** Roots that were posted to the vault. */
export interface PostedRoots {
  note(stream: string, hash: string, transaction: Hex): Promise<PostedRootRecord | null>
}

/** How often the times at which keys were last used are written. */
const KEY_USES_MS = 60_000

/** Loads reference data and keeps it in step with other processes. `close` writes what is pending; the pool stays open. */
export async function openReferenceData(source: ReferenceSource): Promise<ReferenceData & { close(): Promise<void> }> {
  const { db, databaseUrl, apiKeySecret, isStandby, onError } = source
  const owners = new OwnerTransactions(db)
  const [keys, markets, wallets, feeAccounts] = await Promise.all([
    Keys.load(db, owners, apiKeySecret),
    Markets.load(db),
    Wallets.load(db, owners),
    FeeAccounts.load(db),
  ])
  const handlers = {
    [KEY_CHANNEL]: (key?: string) => keys.reload(key),
    [WALLET_CHANNEL]: (address?: string) => wallets.reload(address),
    [FEE_CHANNEL]: (deployment?: string) => feeAccounts.reload(deployment),
    [MARKET_CHANNEL]: async (condition?: string) => {
      if (isStandby()) await markets.reload(condition as Hex) // the writer itself made the change
    },
  }
  const stopNotices = await followNotices(databaseUrl, handlers, onError)
  const uses = setInterval(() => void keys.writeUses().catch(onError), KEY_USES_MS)
  return {
    keys,
    wallets,
    feeAccounts,
    postedRoots: { note: (...root) => notePostedRoot(db, ...root) },
    markets,
    async close() {
      clearInterval(uses)
      stopNotices()
      await keys.writeUses().catch(onError)
    },
  }
}
