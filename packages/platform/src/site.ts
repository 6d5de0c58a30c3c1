import type { WebSettings } from '@augury/settings/env'
import { cachedLists } from './cache/cached-lists.ts'
import { openGenerations } from './cache/generations.ts'
import { listPrefix } from './cache/list-prefix.ts'
import { type Budgets, memoryBudgets } from './identity/budgets.ts'
import { redisBudgets } from './identity/redis-budgets.ts'
import { openSessionReads, type SessionReads } from './identity/session-reads.ts'
import { Vault } from './identity/vault.ts'
import { type AccountFeeds, openAccountFeeds } from './notifications/account-feeds.ts'
import { openWakeUps, type WakeUps } from './notifications/wake-ups.ts'
import { type Mailer, openMailer } from './outbound/mailer.ts'
import { openPlatform, type Platform } from './platform.ts'
import { openRedis, type Redis } from './redis.ts'
import { type ExchangeAccess, openExchange } from './trading/exchange-access.ts'
import { type BlobStore, openBlobs } from './uploads/blob-store.ts'

/** What of the settings the use cases of a site need. */
export type SiteSettings = Pick<
  WebSettings,
  | ('mode' | 'databaseUrl' | 'origin' | 'chainId' | 'keyRing' | 'schedulerSecret' | 'adminWallets' | 'rpcUrl')
  | ('dataDir' | 'openrouterUrl' | 'swapUrl' | 'uploadsUrl')
  | ('clobUrl' | 'publicClobUrl' | 'platformWalletKey')
> &
  Partial<Pick<WebSettings, 'redisUrl' | 'smtpUrl' | 'mailFrom'>>

/** A deployment with its doors open: the platform, and what it takes to know and to serve members. */
export interface Site extends Platform {
  readonly settings: SiteSettings
  /** Seals what may never be read in the database. */
  readonly vault: Vault
  readonly budgets: Budgets
  /** The exchange, as its members and the deployment itself speak to it. */
  readonly exchange: ExchangeAccess
  readonly sessionReads: SessionReads
  readonly wakeUps: WakeUps
  /** Orders and trades of members as they happen: one upstream for all of this process. */
  readonly accountFeeds: AccountFeeds
  /** Shared by the processes of a deployment; null where there is none. */
  readonly redis: Redis | null
  /** Writes to members; null where the deployment has no server for it. */
  readonly mailer: Mailer | null
  /** Uploaded images. */
  readonly blobs: BlobStore
}

/** What tests choose. */
export interface SiteOptions {
  now?: () => Date
  budgets?: Budgets
}

/** Opens the site over a migrated `platform` database. Connects on first use. */
export async function openSite(settings: SiteSettings, { now, budgets }: SiteOptions = {}): Promise<Site> {
  const platform = await openPlatform(settings.databaseUrl, now)
  const wakeUps = openWakeUps(settings.databaseUrl)
  const exchange = openExchange(settings)
  const sessionReads = openSessionReads(settings.databaseUrl)
  const accountFeeds = openAccountFeeds(settings.clobUrl, exchange.watcher)
  const redis = settings.redisUrl ? openRedis(settings.redisUrl) : null
  const generations = openGenerations(settings.databaseUrl)
  return {
    ...platform,
    lists: cachedLists({ generations, redis, prefix: listPrefix(settings.origin), now: platform.now }),
    redis,
    settings,
    vault: new Vault(settings.keyRing),
    budgets: budgets ?? (redis ? redisBudgets(redis, `augury:${new URL(settings.origin).host}:`) : memoryBudgets()),
    exchange,
    sessionReads,
    wakeUps,
    accountFeeds,
    mailer: openMailer(settings),
    blobs: openBlobs(settings),
    async close() {
      accountFeeds.close()
      redis?.close()
      await Promise.all([wakeUps.close(), generations.close(), sessionReads.close(), platform.close()])
    },
  }
}
