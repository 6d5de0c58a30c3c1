import type { WebSettings } from '@augury/settings/env'
import { type Budgets, memoryBudgets } from './identity/budgets.ts'
import { Vault } from './identity/vault.ts'
import { openWakeUps, type WakeUps } from './notifications/wake-ups.ts'
import { openPlatform, type Platform } from './platform.ts'
import { type ExchangeAccess, openExchange } from './trading/exchange-access.ts'
import { type BlobStore, diskBlobs } from './uploads/blob-store.ts'

/** What of the settings the use cases of a site need. */
export type SiteSettings = Pick<
  WebSettings,
  | ('mode' | 'databaseUrl' | 'origin' | 'chainId' | 'keyRing' | 'schedulerSecret' | 'adminWallets' | 'rpcUrl')
  | ('dataDir' | 'openrouterUrl')
  | ('clobUrl' | 'publicClobUrl' | 'platformWalletKey')
>

/** A deployment with its doors open: the platform, and what it takes to know and to serve members. */
export interface Site extends Platform {
  readonly settings: SiteSettings
  /** Seals what may never be read in the database. */
  readonly vault: Vault
  readonly budgets: Budgets
  /** The exchange, as its members and the deployment itself speak to it. */
  readonly exchange: ExchangeAccess
  readonly wakeUps: WakeUps
  /** Uploaded images. */
  readonly blobs: BlobStore
}

/** What tests choose. */
export interface SiteOptions {
  now?: () => Date
  budgets?: Budgets
}

/** Opens the site over a migrated `platform` database. Connects on first use. */
export async function openSite(settings: SiteSettings, { now, budgets = memoryBudgets() }: SiteOptions = {}): Promise<Site> {
  const platform = await openPlatform(settings.databaseUrl, now)
  const wakeUps = openWakeUps(settings.databaseUrl)
  return {
    ...platform,
    settings,
    vault: new Vault(settings.keyRing),
    budgets,
    exchange: openExchange(settings),
    wakeUps,
    blobs: diskBlobs(`${settings.dataDir}/uploads`),
    async close() {
      await Promise.all([wakeUps.close(), platform.close()])
    },
  }
}
